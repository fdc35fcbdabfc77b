// SPDX-License-Identifier: Apache-2.0
/// The values of plans and predictions: devices, layouts, memory, times, estimates and rentals.
@NullMarked
package dev.muster.plan.cost;

import org.jspecify.annotations.NullMarked;
