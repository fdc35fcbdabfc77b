// SPDX-License-Identifier: Apache-2.0
/// Measurements, and how well they are predicted.
@NullMarked
package dev.muster.plan.accuracy;

import org.jspecify.annotations.NullMarked;
