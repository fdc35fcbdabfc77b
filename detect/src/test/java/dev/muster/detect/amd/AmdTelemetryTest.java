// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.amd;

import static dev.muster.detect.amd.AmdHosts.fact;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.ProcessList;
import dev.muster.core.ProcessList.DeviceProcess;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Joules;
import dev.muster.core.unit.Ratio;
import dev.muster.detect.Contexts;
import dev.muster.detect.host.Deadline;
import dev.muster.detect.host.Host;
import dev.muster.detect.host.HostAnswer;
import dev.muster.detect.host.HostFiles;
import dev.muster.detect.host.HostSketch;
import dev.muster.detect.probe.ProbeContext;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class AmdTelemetryTest {
    private static final String DEVICE = "/sys/devices/amd0";
    private static final String NODES = "/sys/class/kfd/kfd/topology/nodes/";
    private static final String PROC = "/sys/class/kfd/kfd/proc/";

    private static HostSketch busyCard() {
        return AmdHosts.bareCard(new HostSketch(), 0)
                .file(DEVICE + "/hwmon/hwmon0/energy1_input", "12345678900\n")
                .file(DEVICE + "/mem_busy_percent", "21\n")
                .file(DEVICE + "/vcn_busy_percent", "4\n")
                .file(DEVICE + "/pcie_bw", "1000000 250000 256\n")
                .file(
                        DEVICE + "/ras/gpu_vram_bad_pages",
                        "0x00000001 : 0x00001000 : R\n0x00000002 : 0x00001000 : P\n0x0000000a : 0x00001000 : R\n");
    }

    private static AcceleratorProfile ask(HostSketch host) {
        return AmdHosts.only(new RocmProbe().probe(Contexts.of(host).withTelemetry()));
    }

    @Test
    void filesOfTheDriverTellTelemetry() {
        AcceleratorProfile gpu = ask(busyCard());

        assertThat(fact(gpu, DeviceFact.ENERGY)).contains(new Joules(12_345.6789));
        assertThat(fact(gpu, DeviceFact.MEMORY_UTILIZATION)).contains(new Ratio(0.21));
        assertThat(fact(gpu, DeviceFact.ENCODER_UTILIZATION)).contains(new Ratio(0.04));
        assertThat(fact(gpu, DeviceFact.DECODER_UTILIZATION)).contains(new Ratio(0.04));
        assertThat(fact(gpu, DeviceFact.REMAPPED_ROWS)).contains(2L);
        assertThat(fact(gpu, DeviceFact.ROW_REMAPPING)).contains("pending");
    }

    @Test
    void packetsTimesPayloadIsTheMostThatPcieCarried() {
        AcceleratorProfile gpu = ask(busyCard());

        assertThat(fact(gpu, DeviceFact.PCIE_RECEIVED)).contains(new Bandwidth(0.256));
        assertThat(fact(gpu, DeviceFact.PCIE_SENT)).contains(new Bandwidth(0.064));
        assertThat(gpu.reading(DeviceFact.PCIE_SENT))
                .isInstanceOfSatisfying(
                        Reading.Known.class,
                        known -> assertThat(known.provenance().method()).isEqualTo(Provenance.Method.DERIVED));
    }

    @Test
    void aPlainDetectionReadsNoneOfIt() {
        AcceleratorProfile gpu = AmdHosts.only(AmdHosts.probe(busyCard()));

        for (DeviceFact<?> fact : DeviceFact.all()
                .subList(DeviceFact.ENERGY.index(), DeviceFact.all().size())) {
            assertThat(gpu.reading(fact).isNotProbed()).isTrue();
        }
    }

    @Test
    void oddNumbersOfPcieAreNoThroughput() {
        for (String text : List.of("", "1 2", "1 2 3 4", "-1 2 256", "a b c", "N/A")) {
            assertThat(PcieThroughput.Rates.find(text)).isEmpty();
        }
    }

    @Test
    void aFileThatDoesNotAnswerCostsItsOwnFactAlone() {
        CountDownLatch never = new CountDownLatch(1);
        Host host = Contexts.host(new StuckFiles(never), Clock.systemUTC());
        ProbeContext context = new ProbeContext(host, Deadline.in(Duration.ofMillis(50)), System.getLogger("test"));
        AcceleratorProfile.ProfileBuilder gpu = AcceleratorProfile.rocm(0, Bytes.ofGib(64)).toBuilder();

        PcieThroughput.start(context, DEVICE).addTo(gpu);
        never.countDown();

        assertThat(gpu.build().reading(DeviceFact.PCIE_SENT))
                .isEqualTo(Reading.unknown(UnknownReason.TIMED_OUT, DEVICE + "/pcie_bw does not answer"));
    }

    @Test
    void pagesThatCannotBeRetiredAreToldFirst() {
        assertThat(BadPages.parse("").state()).isEqualTo("ok");
        assertThat(BadPages.parse("0x1 : 0x1000 : P\n0x2 : 0x1000 : F\n").state())
                .isEqualTo("failed");
    }

    @Test
    void processesHoldWhatTheComputeDriverSays() {
        HostSketch host = AmdHosts.node(new HostSketch(), 1, 0x0300, "11", "0")
                .file(NODES + "1/gpu_id", "51771\n")
                .file(PROC + "4242/pasid", "32770\n")
                .file(PROC + "4242/vram_51771", "17179869184\n")
                .file(PROC + "4242/vram_1111", "4096\n")
                .file(PROC + "77/vram_51771", "0\n")
                .file("/proc/4242/comm", "python3\n");

        AcceleratorProfile gpu = AmdHosts.only(AmdHosts.probe(host));

        assertThat(fact(gpu, DeviceFact.PROCESSES))
                .contains(new ProcessList(List.of(new DeviceProcess(4242, "python3", Bytes.ofGib(16)))));
    }

    @Test
    void eachPartitionHasItsOwnProcesses() {
        HostSketch host = AmdHosts.node(new HostSketch(), 1, 0x0300, "11", "0").file(NODES + "1/gpu_id", "100\n");
        AmdHosts.node(host, 2, 0x0300, "11", "0").file(NODES + "2/gpu_id", "200\n");
        host.file(PROC + "5/vram_100", "1024\n")
                .file(PROC + "5/vram_200", "0\n")
                .file(PROC + "6/vram_200", "2048\n");

        List<AcceleratorProfile> devices = AmdHosts.probe(host).profiles();

        assertThat(devices)
                .extracting(device -> fact(device, DeviceFact.PROCESSES)
                        .orElseThrow()
                        .processes()
                        .size())
                .containsExactly(2, 1, 1);
        assertThat(fact(devices.getLast(), DeviceFact.PROCESSES))
                .contains(new ProcessList(List.of(new DeviceProcess(6, null, Bytes.of(2048)))));
    }

    /// No file answers before the latch opens.
    private record StuckFiles(CountDownLatch open) implements HostFiles {
        @Override
        public HostAnswer<String> read(String path, int maxBytes) {
            try {
                open.await();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
            return new HostAnswer.Missing<>();
        }

        @Override
        public HostAnswer<List<String>> list(String path) {
            return new HostAnswer.Missing<>();
        }

        @Override
        public boolean exists(String path) {
            return false;
        }

        @Override
        public Optional<String> findLink(String path) {
            return Optional.empty();
        }

        @Override
        public Optional<String> findRealPath(String path) {
            return Optional.empty();
        }
    }
}
