// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.text;

import org.jspecify.annotations.Nullable;

/// A part of a whole, such as free memory of all memory.
///
/// @param part the part; null when unknown
/// @param whole the whole, of the same type
record Share(@Nullable Object part, Object whole) {}
