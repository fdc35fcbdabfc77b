// SPDX-License-Identifier: Apache-2.0
/// Measurements of an NVIDIA GPU with CUDA's own libraries.
@NullMarked
package dev.muster.detect.nvidia.cuda;

import org.jspecify.annotations.NullMarked;
