// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import static dev.muster.detect.nvidia.Smi.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.ProcessList;
import dev.muster.core.ProcessList.DeviceProcess;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Joules;
import dev.muster.core.unit.Ratio;
import dev.muster.detect.host.Deadline;
import dev.muster.detect.host.Host;
import dev.muster.detect.host.HostAnswer;
import dev.muster.detect.host.HostBuilder;
import dev.muster.detect.probe.ProbeContext;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Telemetry of NVML, from a stub library.
class NvmlTelemetryTest {
    private static List<AcceleratorProfile> asked;
    private static List<AcceleratorProfile> notAsked;
    private static ProbeContext telemetry;

    @BeforeAll
    static void ask(@TempDir Path folder) throws IOException, InterruptedException {
        Path library = NativeStub.compile("nvml-telemetry-stub", folder);
        Host files = new HostBuilder()
                .file("/dev/nvidia0", "")
                .file("/proc/4242/comm", "VLLM::Worker_TP\n")
                .build();
        Host host = new Host(
                files.system(),
                files.architecture(),
                files.files(),
                files.commands(),
                (_, _) -> new HostAnswer.Found<>(library),
                files.variables(),
                files.clock());
        ProbeContext context = new ProbeContext(host, Deadline.in(Duration.ofSeconds(30)), System.getLogger("test"));
        telemetry = context.withTelemetry();
        asked = new NvidiaProbe().probe(telemetry).profiles();
        notAsked = new NvidiaProbe().probe(context).profiles();
    }

    @Test
    void everyFactIsToldInItsUnit() {
        AcceleratorProfile gpu = asked.getFirst();

        assertThat(value(gpu, DeviceFact.ENERGY)).contains(new Joules(8_123_456.789));
        assertThat(value(gpu, DeviceFact.MEMORY_UTILIZATION)).contains(new Ratio(0.35));
        assertThat(value(gpu, DeviceFact.ENCODER_UTILIZATION)).contains(new Ratio(0.07));
        assertThat(value(gpu, DeviceFact.DECODER_UTILIZATION)).contains(new Ratio(1));
        assertThat(value(gpu, DeviceFact.PCIE_SENT)).contains(new Bandwidth(1.066699));
        assertThat(value(gpu, DeviceFact.PCIE_RECEIVED)).contains(new Bandwidth(14.742333));
        assertThat(value(gpu, DeviceFact.FABRIC_SENT)).contains(Bytes.ofKib(5_000_000_000L));
        assertThat(value(gpu, DeviceFact.FABRIC_RECEIVED)).contains(Bytes.ofKib(3));
        assertThat(value(gpu, DeviceFact.REMAPPED_ROWS)).contains(3L);
        assertThat(value(gpu, DeviceFact.ROW_REMAPPING)).contains("pending");
    }

    @Test
    void activityOfPartsIsToldFromHopperOn() {
        AcceleratorProfile gpu = asked.getFirst();

        assertThat(value(gpu, DeviceFact.TENSOR_ACTIVE)).contains(new Ratio(93.7 / 100));
        assertThat(value(gpu, DeviceFact.BANDWIDTH_UTILIZATION)).contains(new Ratio(16.2 / 100));
        assertThat(value(gpu, DeviceFact.COMPUTE_ACTIVE)).contains(new Ratio(0.5));
        assertThat(value(gpu, DeviceFact.FABRIC_SEND_RATE)).contains(new Bandwidth(2.147483648));
        assertThat(gpu.reading(DeviceFact.OCCUPANCY).isKnown())
                .as("a metric that is refused")
                .isFalse();
        assertThat(asked.get(1).reading(DeviceFact.TENSOR_ACTIVE))
                .isEqualTo(
                        Reading.notSupported("the GPU has no performance monitoring (GPM), which begins with Hopper"));
    }

    @Test
    void laterLooksHoldNoMoreSamples() {
        List<AcceleratorProfile> again = new NvidiaProbe().probe(telemetry).profiles();

        assertThat(value(again.getFirst(), DeviceFact.PCIE_REPLAYS).orElseThrow())
                .as("one for each GPU that has them, and at most one more for each that is being asked")
                .isLessThanOrEqualTo(4);
    }

    @Test
    void eachProcessSaysHowMuchOfTheDeviceItUsesWhereTelemetryIsShown() {
        assertThat(load(asked)).contains(new Ratio(0.62));
        assertThat(load(notAsked)).as("not asked for").isEmpty();
    }

    private static Optional<Ratio> load(List<AcceleratorProfile> gpus) {
        return value(gpus.getFirst(), DeviceFact.PROCESSES)
                .orElseThrow()
                .processes()
                .getFirst()
                .findLoad();
    }

    @Test
    void newerNvlinksAreCountedInBytes() {
        AcceleratorProfile gpu = asked.getLast();

        assertThat(value(gpu, DeviceFact.FABRIC_SENT)).contains(Bytes.of(77));
        assertThat(value(gpu, DeviceFact.FABRIC_RECEIVED)).contains(Bytes.of(99));
    }

    @Test
    void whatAGpuDoesNotTellHasAReason() {
        AcceleratorProfile gpu = asked.get(1);

        for (DeviceFact<?> fact : DeviceFact.all()
                .subList(DeviceFact.ENERGY.index(), DeviceFact.all().size())) {
            assertThat(gpu.reading(fact))
                    .isInstanceOfSatisfying(
                            Reading.Unknown.class,
                            unknown -> assertThat(unknown.reason()).isEqualTo(UnknownReason.NOT_SUPPORTED));
        }
    }

    @Test
    void aPlainDetectionDoesNotAsk() {
        for (DeviceFact<?> fact : DeviceFact.all()
                .subList(DeviceFact.ENERGY.index(), DeviceFact.all().size())) {
            assertThat(notAsked.getFirst().reading(fact).isNotProbed()).isTrue();
        }
        assertThat(value(notAsked.getFirst(), DeviceFact.UTILIZATION)).contains(new Ratio(0.8));
    }

    @Test
    void programsHaveTheNameThatTheKernelKnows() {
        assertThat(value(notAsked.getFirst(), DeviceFact.PROCESSES))
                .contains(new ProcessList(List.of(new DeviceProcess(4242, "VLLM::Worker_TP", Bytes.ofGib(1)))));
    }
}
