// SPDX-License-Identifier: Apache-2.0
/// NVIDIA GPUs: what the driver's tool and the driver's files say about them, and how they are joined.
@NullMarked
package dev.muster.detect.nvidia;

import org.jspecify.annotations.NullMarked;
