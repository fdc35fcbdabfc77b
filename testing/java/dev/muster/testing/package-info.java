// SPDX-License-Identifier: Apache-2.0
/// Needs of tests of their machine, and reports of skipped tests. Every module compiles this folder
/// among its own tests.
@NullMarked
package dev.muster.testing;

import org.jspecify.annotations.NullMarked;
