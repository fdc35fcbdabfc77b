// SPDX-License-Identifier: Apache-2.0
/// GPUs of any vendor that only Vulkan, or only the kernel's list of graphics cards, knows.
@NullMarked
package dev.muster.detect.vulkan;

import org.jspecify.annotations.NullMarked;
