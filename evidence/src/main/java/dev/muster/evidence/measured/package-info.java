// SPDX-License-Identifier: Apache-2.0
/// Measured runs, the tables that hold them, and reports on how well they are predicted.
@NullMarked
package dev.muster.evidence.measured;

import org.jspecify.annotations.NullMarked;
