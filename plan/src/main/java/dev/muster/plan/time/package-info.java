// SPDX-License-Identifier: Apache-2.0
/// The time model: rooflines of products and attention, overheads of kernels and hosts, and collectives over links.
/// Every efficiency is a [Coefficient] that was fitted to published measurements.
@NullMarked
package dev.muster.plan.time;

import org.jspecify.annotations.NullMarked;
