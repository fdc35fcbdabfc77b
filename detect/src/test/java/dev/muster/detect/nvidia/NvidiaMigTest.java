// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceChoice;
import dev.muster.core.DeviceFact;
import dev.muster.core.DeviceUsability;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.Contexts;
import dev.muster.detect.DetectBuilder;
import dev.muster.detect.Fixtures;
import dev.muster.detect.host.HostSketch;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.probe.ProbeReport;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class NvidiaMigTest {
    private static final String QUERY = "nvidia-smi " + String.join(" ", NvidiaSmiQuerySource.QUESTION);
    private static final String MODE = "nvidia-smi --query-gpu=index,mig.mode.current --format=csv,noheader,nounits";
    private static final String ROW = "0, 143771, 55, 143103, 9.0, 590.48.01, NVIDIA H200, 28, 78.28, [N/A], 3201\n";
    private static final String OTHER = "1, 143771, 0, 143156, 9.0, 590.48.01, NVIDIA H200, 28, 78.28, 0, 3201\n";
    private static final String LISTING = """
            GPU 0: NVIDIA H200 (UUID: GPU-0)
              MIG 1c.3g.71gb  Device  0: (UUID: MIG-a)
              MIG 1g.18gb     Device  1: (UUID: MIG-b)
            GPU 1: NVIDIA H200 (UUID: GPU-1)
            """;

    @Test
    void aGpuInMigModeCannotBeUsedAsAWholeAndItsSlicesCan() throws IOException {
        HostSketch host = new HostSketch()
                .tool(QUERY, ROW + OTHER)
                .tool(MODE, "0, Enabled\n1, Disabled\n")
                .tool("nvidia-smi -L", LISTING)
                .tool("nvidia-smi", Fixtures.own("nvidia/smi-table/h200-mig__590__synthetic.txt"));

        List<AcceleratorProfile> devices = probe(host).profiles();

        assertThat(devices)
                .extracting(device -> device.id().text())
                .containsExactly("cuda:0", "cuda:0/MIG-a", "cuda:0/MIG-b", "cuda:1");
        assertThat(devices).extracting(AcceleratorProfile::available).containsExactly(false, true, true, true);
        assertThat(devices.getFirst().reading(DeviceFact.PARTITIONING).find()).contains("MIG");
        assertThat(devices.getLast().reading(DeviceFact.PARTITIONING).find()).contains("none");
        assertThat(devices.get(1).memory().find()).contains(Bytes.ofMib(71424));
        assertThat(devices.get(1).deviceName().find()).contains("NVIDIA H200 MIG 1c.3g.71gb");
        assertThat(devices.get(2).memory().find()).contains(Bytes.ofMib(16384));
        assertThat(devices.get(2).reading(DeviceFact.COMPUTE_CAPABILITY).find()).contains("9.0");
    }

    @Test
    void theDividedGpuIsLeftOutForItsSlicesAndItsMemoryCountsOnce() throws IOException {
        HostSketch host = new HostSketch()
                .tool(QUERY, ROW)
                .tool("nvidia-smi -L", LISTING)
                .tool("nvidia-smi", Fixtures.own("nvidia/smi-table/h200-mig__590__synthetic.txt"));
        var registry =
                DetectBuilder.all().build(host.host(), System.getLogger("test")).detect();

        DeviceChoice choice = DeviceChoice.defaults(registry);

        assertThat(choice.excluded()).singleElement().satisfies(one -> {
            assertThat(one.reason()).isEqualTo(DeviceUsability.Obstacle.PARTITIONED);
            assertThat(one.sentence()).isEqualTo("cuda:0 is divided; its 2 slices are devices instead");
        });
        assertThat(registry.totalAcceleratorMemory()).isEqualTo(Bytes.ofMib(143771));
    }

    @Test
    void withoutTheTableASliceHasTheRoundedSizeOfItsName() {
        HostSketch host = new HostSketch().tool(QUERY, ROW).tool("nvidia-smi -L", LISTING);

        AcceleratorProfile slice = probe(host).profiles().get(2);

        assertThat(slice.memory())
                .isEqualTo(
                        Reading.known(Bytes.of(18_000_000_000L), ProbeContext.fromCatalogue("names of MIG devices")));
    }

    @Test
    void aGpuInMigModeWithoutSlicesCannotBeUsed() {
        HostSketch host = new HostSketch().tool(QUERY, ROW).tool(MODE, "0, Enabled\n");

        assertThat(probe(host).profiles()).singleElement().satisfies(gpu -> {
            assertThat(gpu.available()).isFalse();
            assertThat(gpu.isDivided()).isTrue();
        });
    }

    @Test
    void driversWithoutMigAnswerTheOtherQuestions() {
        HostSketch host = new HostSketch()
                .tool(QUERY, ROW)
                .tool(MODE, 2, "Field \"mig.mode.current\" is not a valid field to query.", "")
                .tool("nvidia-smi --query-gpu=index,uuid,pci.bus_id *", "0, GPU-0, 00000000:83:00.0\n");

        ProbeReport report = probe(host);

        assertThat(report.profiles()).singleElement().satisfies(gpu -> {
            assertThat(gpu.available()).isTrue();
            assertThat(gpu.reading(DeviceFact.UUID).find()).contains("GPU-0");
        });
    }

    @Test
    void readsTheTableOfARecordedGpuInMigMode() throws IOException {
        SmiCapture capture = SmiCapture.of("linux-x86_64__nvidia-h200-mig__590.48.01.txt");
        NvidiaMigTable table = NvidiaMigTable.parse(capture.section("idle :: nvidia-smi (default table)"));

        assertThat(table.rows()).hasSize(5);
        assertThat(table.find(0, 4)).map(NvidiaMigTable.Row::total).contains(Bytes.ofMib(16384));
    }

    private static ProbeReport probe(HostSketch host) {
        return new NvidiaProbe().probe(Contexts.of(host));
    }
}
