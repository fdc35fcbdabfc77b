// SPDX-License-Identifier: Apache-2.0
/// Measured runs, the tables that hold them, and reports on the accuracy of their predictions.
@NullMarked
package dev.muster.evidence.measured;

import org.jspecify.annotations.NullMarked;
