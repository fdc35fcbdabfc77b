// SPDX-License-Identifier: Apache-2.0
/// The fit of the cost model's coefficients to measurements, and predictions of these.
@NullMarked
package dev.muster.evidence.fit;

import org.jspecify.annotations.NullMarked;
