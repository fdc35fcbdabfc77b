// SPDX-License-Identifier: Apache-2.0
/// The tensors of model families, and what each takes in a weight format.
@NullMarked
package dev.muster.model.tensor;

import org.jspecify.annotations.NullMarked;
