// The text of this thread's last failure.
#include "ErrorText.h"
#include "Libc.h"

// 1024: fits a message with two long parameter names; longer ones are cut.
static _Thread_local char errorText[1024];

gm_status failWith(gm_status status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(errorText, sizeof(errorText), format, arguments);
  va_end(arguments);
  return status;
}

const char *gm_error_text(void) { return errorText; }
