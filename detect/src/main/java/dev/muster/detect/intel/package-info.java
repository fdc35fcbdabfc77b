// SPDX-License-Identifier: Apache-2.0
/// Intel's GPUs, behind the drivers i915 and xe, and its NPUs, behind the driver intel_vpu.
@NullMarked
package dev.muster.detect.intel;

import org.jspecify.annotations.NullMarked;
