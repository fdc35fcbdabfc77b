// SPDX-License-Identifier: Apache-2.0
/// The one way to call native functions: libraries, their functions, and functions of ours that they call. For
/// the other modules of Muster alone.
@NullMarked
package dev.muster.core.foreign;

import org.jspecify.annotations.NullMarked;
