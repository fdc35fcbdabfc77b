// SPDX-License-Identifier: Apache-2.0
/// The host's processor and its memory.
@NullMarked
package dev.muster.detect.cpu;

import org.jspecify.annotations.NullMarked;
