// SPDX-License-Identifier: Apache-2.0
/// The tensors of model families, and their sizes in weight formats.
@NullMarked
package dev.muster.model.tensor;

import org.jspecify.annotations.NullMarked;
