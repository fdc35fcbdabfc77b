// SPDX-License-Identifier: Apache-2.0
/// Quantities with their units in the type. Raw numbers appear inside these types and at serialisation, nowhere else.
@NullMarked
package dev.muster.core.unit;

import org.jspecify.annotations.NullMarked;
