/*===- classify.c - Use a compiled classifier from C -----------------------===*\
|*
|*   classify LIBRARY IMAGES.npy LABELS.npy
|*
|* LIBRARY is a path with a slash, as in ./digits.so: dlopen() searches for other names among
|* the system's libraries.
|*
|* Loads a library that `graphmill compile` wrote, runs it on all images at once and prints
|* how many it gets right. Shows the whole C interface that a deployment needs: dlopen,
|* gm_get_api, a context, tensors in and out, error text.
|*
\*===----------------------------------------------------------------------===*/
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <graphmill/runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
  void *data;
  int64_t shape[8];
  int rank;
} Array;

/* A little-endian, row-major .npy file of version 1 whose header names `dtype`. */
static int readNpy(const char *path, const char *dtype, size_t elementBytes, Array *array) {
  FILE *file = fopen(path, "rb");
  unsigned char head[10];
  if (!file || fread(head, 1, 10, file) != 10 || memcmp(head, "\x93NUMPY\x01", 7) != 0) {
    fprintf(stderr, "%s: not a .npy file of version 1\n", path);
    return 0;
  }
  size_t headerBytes = head[8] + 256u * head[9];
  char *header = calloc(headerBytes + 1, 1);
  char *shape;
  if (!header || fread(header, 1, headerBytes, file) != headerBytes || !strstr(header, dtype) ||
      !(shape = strchr(header, '('))) {
    fprintf(stderr, "%s: expected elements of type %s\n", path, dtype);
    return 0;
  }
  size_t count = 1;
  array->rank = 0;
  for (char *at = shape + 1; *at && *at != ')' && array->rank < 8;) {
    char *end;
    long long size = strtoll(at, &end, 10);
    if (end == at || size < 0) {
      break;
    }
    array->shape[array->rank++] = size;
    count *= (size_t)size;
    at = end + strspn(end, ", ");
  }
  free(header);
  array->data = malloc(count * elementBytes);
  int complete = array->data && fread(array->data, elementBytes, count, file) == count;
  fclose(file);
  if (!complete) {
    fprintf(stderr, "%s: cut short\n", path);
  }
  return complete;
}

static double milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e3 + now.tv_nsec * 1e-6;
}

int main(int argc, char **argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: classify LIBRARY IMAGES.npy LABELS.npy\n");
    return 2;
  }
  void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    return 2;
  }
  const gm_api *(*getApi)(uint32_t);
  *(void **)&getApi = dlsym(library, "gm_get_api");
  const gm_api *gm = getApi ? getApi(GM_ABI_VERSION) : NULL;
  if (!gm) {
    fprintf(stderr, "%s is not a graphmill library of this version\n", argv[1]);
    return 2;
  }
  Array images, labels;
  if (!readNpy(argv[2], "<f4", sizeof(float), &images) || !readNpy(argv[3], "<i8", sizeof(int64_t), &labels)) {
    return 2;
  }
  gm_tensor input = {images.data, GM_F32, images.rank, images.shape, NULL};
  gm_tensor output;
  memset(&output, 0, sizeof output); /* data == NULL: the context keeps the result */
  gm_context *context;
  if (gm->context_create(NULL, &context) != GM_OK || gm->run(context, &input, 1, &output, 1) != GM_OK) {
    fprintf(stderr, "%s\n", gm->error_text());
    return 2;
  }
  const float *scores = output.data;
  int64_t count = output.shape[0], classes = output.shape[1], right = 0;
  for (int64_t i = 0; i < count; ++i) {
    int64_t best = 0;
    for (int64_t j = 1; j < classes; ++j) {
      best = scores[i * classes + j] > scores[i * classes + best] ? j : best;
    }
    right += best == ((const int64_t *)labels.data)[i];
  }
  double start = milliseconds();
  int runs = 0;
  for (; runs < 1000 && milliseconds() - start < 500; ++runs) {
    gm->run(context, &input, 1, &output, 1);
  }
  double each = (milliseconds() - start) / runs;
  printf("%lld of %lld images right (%.2f %%), %.3f ms for all, %.2f us an image\n", (long long)right,
         (long long)count, 100.0 * (double)right / (double)count, each, 1e3 * each / (double)count);
  gm->context_destroy(context);
  free(images.data);
  free(labels.data);
  return 100 * right >= 95 * count ? 0 : 1;
}
