// SPDX-License-Identifier: Apache-2.0
/// What a model takes on devices: weights, key-value cache, and what is left.
@NullMarked
package dev.muster.model.memory;

import org.jspecify.annotations.NullMarked;
