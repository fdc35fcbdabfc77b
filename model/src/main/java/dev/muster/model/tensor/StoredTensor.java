// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.tensor;

import dev.muster.core.unit.Bytes;

/// A tensor as a checkpoint stores it, or several alike.
///
/// @param tensor the tensor
/// @param type how its numbers are stored, such as `Q6_K` or `bf16`
/// @param bytes what it takes, with its scales; all of them where there are several
public record StoredTensor(ModelTensor tensor, String type, Bytes bytes) {}
