// SPDX-License-Identifier: Apache-2.0
/// GPUs as Windows lists them.
@NullMarked
package dev.muster.detect.windows;

import org.jspecify.annotations.NullMarked;
