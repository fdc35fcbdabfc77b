// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import static dev.muster.detect.nvidia.Smi.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import dev.muster.core.RuntimeEnvironment;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Watts;
import dev.muster.detect.DetectBuilder;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// The whole detection of the recorded machine: every backend is asked, and only one finds a device.
class H200MachineTest {
    private static AcceleratorRegistry registry;

    @BeforeAll
    static void detect() throws IOException {
        registry = DetectBuilder.all()
                .build(H200Machine.whole().host(), System.getLogger("test"))
                .detect();
    }

    @Test
    void isAProcessorAndOneGpu() {
        assertThat(registry.profiles())
                .extracting(profile -> profile.id().text())
                .containsExactly("cpu:0", "cuda:0");
        assertThat(registry.gaps()).isEmpty();
    }

    @Test
    void theGpuHasTheFactsThatTheTableShows() throws IOException {
        AcceleratorProfile gpu = registry.profiles().getLast();
        String table = H200Machine.text("nvidia-smi.txt");

        assertThat(value(gpu, DeviceFact.MEMORY)).contains(Bytes.ofMib(143_771));
        assertThat(table).contains("0MiB / 143771MiB");
        assertThat(value(gpu, DeviceFact.MEMORY_USED)).contains(Bytes.ZERO);
        assertThat(value(gpu, DeviceFact.DEVICE_NAME)).contains("NVIDIA H200");
        assertThat(table).contains(" NVIDIA H200 ");
        assertThat(value(gpu, DeviceFact.DRIVER_VERSION)).contains("580.159.04");
        assertThat(table).contains("Driver Version: 580.159.04");
        assertThat(value(gpu, DeviceFact.RUNTIME_VERSION)).contains("13.0");
        assertThat(table).contains("CUDA Version: 13.0");
        assertThat(value(gpu, DeviceFact.POWER_LIMIT)).contains(new Watts(700));
        assertThat(value(gpu, DeviceFact.PARTITIONING)).contains("none");
    }

    @Test
    void theProcessorAndItsMemoryAreThoseOfTheFiles() {
        AcceleratorProfile cpu = registry.profiles().getFirst();

        assertThat(value(cpu, DeviceFact.MEMORY)).contains(Bytes.ofKib(131_980_916));
        assertThat(value(cpu, DeviceFact.THREADS)).contains(16L);
    }

    @Test
    void itsControlGroupSetsNoLimit() {
        RuntimeEnvironment environment =
                registry.systemIo().environment().find().orElseThrow();

        assertThat(environment.memoryLimit().isKnown()).isFalse();
        assertThat(environment.cpuLimit().isKnown()).isFalse();
        assertThat(environment.docker()).isFalse();
        assertThat(environment.kubernetes()).isFalse();
    }
}
