// SPDX-License-Identifier: Apache-2.0
/// The values that predictions are made of and tell: figures of devices, layouts, times and rooflines.
@NullMarked
package dev.muster.plan.cost;

import org.jspecify.annotations.NullMarked;
