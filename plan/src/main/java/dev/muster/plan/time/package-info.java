// SPDX-License-Identifier: Apache-2.0
/// How long a model takes on devices: rooflines of its products and its attention, what kernels and hosts add, and
/// collectives over links. Every efficiency is a [Coefficient] that was fitted to published measurements.
@NullMarked
package dev.muster.plan.time;

import org.jspecify.annotations.NullMarked;
