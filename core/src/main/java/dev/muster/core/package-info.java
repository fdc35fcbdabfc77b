// SPDX-License-Identifier: Apache-2.0
/// Accelerators, their profiles and the registry of one host. Everything here is immutable and free of side effects:
/// it neither reads files nor looks at clocks, so it can be built by hand, from a probe or from a document.
@NullMarked
package dev.muster.core;

import org.jspecify.annotations.NullMarked;
