// SPDX-License-Identifier: Apache-2.0
/// Operations on Java arrays over a group of ranks, and the layers of a model that are divided among
/// ranks: linear maps by columns or rows, embeddings by vocabulary, activations by sequence.
@NullMarked
package dev.muster.mesh.ops;

import org.jspecify.annotations.NullMarked;
