// SPDX-License-Identifier: Apache-2.0
package dev.muster.checks.guides;

import dev.muster.core.AcceleratorFamily;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;

// begin cpu-choice
/// The number of computing threads: one for each core, no more than the JVM may use.
final class CpuChoice {
    private CpuChoice() {}

    static int threads(AcceleratorRegistry registry) {
        int allowed = Runtime.getRuntime().availableProcessors(); // knows the limits of a container
        return registry.byFamily(AcceleratorFamily.CPU).stream()
                .flatMap(cpu -> cpu.reading(DeviceFact.COMPUTE_UNITS).find().stream())
                .mapToInt(cores -> Math.clamp(cores, 1, allowed))
                .findFirst()
                .orElse(allowed);
    }
}
// end cpu-choice
