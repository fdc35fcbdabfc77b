// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.tensor;

import dev.muster.core.unit.Bytes;

/// A tensor as a checkpoint stores it, or several alike.
///
/// @param tensor the tensor
/// @param type storage type of its elements, such as `Q6_K` or `bf16`
/// @param bytes size of it, or of all of several, with scales
public record StoredTensor(ModelTensor tensor, String type, Bytes bytes) {}
