// SPDX-License-Identifier: Apache-2.0
/// The model: its architecture, tensors and parameters, and the summary that planners take.
@NullMarked
package dev.muster.model;

import org.jspecify.annotations.NullMarked;
