// SPDX-License-Identifier: Apache-2.0
/// The memory of a model on devices: weights, KV cache and states.
@NullMarked
package dev.muster.model.memory;

import org.jspecify.annotations.NullMarked;
