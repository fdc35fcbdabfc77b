// SPDX-License-Identifier: Apache-2.0
/// Apple's GPUs and neural engines, under macOS and under Linux, and the GPUs of older Macs.
@NullMarked
package dev.muster.detect.apple;

import org.jspecify.annotations.NullMarked;
