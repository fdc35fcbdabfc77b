// SPDX-License-Identifier: Apache-2.0
/// Cerebras systems: `cerebras_cli` and device nodes.
@NullMarked
package dev.muster.detect.cerebras;

import org.jspecify.annotations.NullMarked;
