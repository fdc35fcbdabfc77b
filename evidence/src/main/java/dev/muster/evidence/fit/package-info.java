// SPDX-License-Identifier: Apache-2.0
/// Fits the coefficients of the cost model to measurements, and predicts these with it.
@NullMarked
package dev.muster.evidence.fit;

import org.jspecify.annotations.NullMarked;
