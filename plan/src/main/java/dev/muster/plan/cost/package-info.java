// SPDX-License-Identifier: Apache-2.0
/// The values of predictions: figures of devices, layouts, times and rooflines.
@NullMarked
package dev.muster.plan.cost;

import org.jspecify.annotations.NullMarked;
