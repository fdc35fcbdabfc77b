// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.normalise;

import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.text.CpuSet;

/// A NUMA node of a host.
///
/// @param number the kernel's number for it; numbers need not start at 0 nor follow each other
/// @param memory its memory
/// @param cpus its processors; none for memory on its own, such as a GPU's
public record NumaNode(long number, Reading<Bytes> memory, CpuSet cpus) {}
