#include "aot_autograd/Decompose/Decompositions.h"

namespace graphmill {

void addAllDecompositions(Decompositions &d) {
  addActivationDecompositions(d);
  addBackwardDecompositions(d);
  addCreationDecompositions(d);
  addDataSizeDecompositions(d);
  addEmbeddingDecompositions(d);
  addIndexingDecompositions(d);
  addJoinDecompositions(d);
  addLossDecompositions(d);
  addNormDecompositions(d);
  addPadDecompositions(d);
  addPointwiseDecompositions(d);
  addPoolBackwardDecompositions(d);
  addPoolDecompositions(d);
  addProductDecompositions(d);
  addRandomDecompositions(d);
  addRecurrentDecompositions(d);
  addReductionDecompositions(d);
  addResampleDecompositions(d);
  addScatterDecompositions(d);
  addShapeDecompositions(d);
  addSortDecompositions(d);
  addSpecialDecompositions(d);
  addStructuredDecompositions(d);
  addTransformerDecompositions(d);
}

} // namespace graphmill
