// SPDX-License-Identifier: Apache-2.0
/// Benchmarks: figures, never tests.
@NullMarked
package dev.muster.bench;

import org.jspecify.annotations.NullMarked;
