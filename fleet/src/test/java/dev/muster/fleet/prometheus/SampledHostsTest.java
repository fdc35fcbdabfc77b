// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.Partition;
import dev.muster.core.PciAddress;
import dev.muster.core.Provenance;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import dev.muster.core.unit.Ratio;
import dev.muster.core.unit.Watts;
import dev.muster.fleet.Claim;
import dev.muster.fleet.Fixtures;
import dev.muster.fleet.HostReport;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SampledHostsTest {
    private static final Instant NOW = Instant.parse("2026-11-18T00:00:00Z");

    private final SampledHosts hosts = new SampledHosts(
            "prometheus",
            Provenance.of("prometheus", Provenance.Method.DOCUMENT, Provenance.Confidence.MEASURED),
            "the-address",
            NOW);

    private int read(String text) throws IOException {
        return ExpositionPage.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), hosts::add)
                .badLines();
    }

    private List<AcceleratorProfile> devices() {
        return hosts.hosts().stream()
                .flatMap(host -> host.registry().profiles().stream())
                .toList();
    }

    private List<AcceleratorProfile> boards() {
        return devices().stream().filter(device -> device.partition().isEmpty()).toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "dcgm-t4-driver460-datadog.prom | 2 | Tesla T4 | 0",
                "dcgm-h100-k8s-aicr.prom | 8 | NVIDIA H100 80GB HBM3 | 0",
                "dcgm-a100-mig-disabled-empty.prom | 1 | NVIDIA A100-SXM4-40GB | 3",
                "dcgm-a100-mig-enabled-empty.prom | 1 | NVIDIA A100-SXM4-40GB | 1",
                "dcgm-a100-mig-active-2x1g5gb-2g10gb.prom | 1 | NVIDIA A100-SXM4-40GB | 1",
                "dcgm-a100-mig-4-active-workloads.prom | 1 | NVIDIA A100-SXM4-40GB | 1",
                "nvidia-gpu-exporter-h100-80gb-hbm3__590.48.01__load.prom | 1 | NVIDIA H100 80GB HBM3 | 0",
                "nvidia-gpu-exporter-h100-mig__590.48.01__load.prom | 1 | NVIDIA H100 80GB HBM3 | 0",
                "nvidia-gpu-exporter-l40s__595.80__idle.prom | 1 | NVIDIA L40S | 0",
                "nvidia-gpu-exporter-geforce-rtx-4080-super__595.71.05__load.prom | 1 | NVIDIA GeForce RTX 4080 SUPER | 0",
                "nvidia-gpu-exporter-demo-seeded.prom | 2 | NVIDIA H200 | 0"
            })
    void exportersOfRealMachines(String file, int gpus, String model, int badLines) throws Exception {
        assertThat(read(Fixtures.shared("prometheus/" + file))).isEqualTo(badLines);
        assertThat(boards())
                .hasSize(gpus)
                .allSatisfy(device -> assertThat(device.deviceName().find()).contains(model));
    }

    /// Pages about other things than devices say nothing of hosts, and do not fail.
    @ParameterizedTest
    @ValueSource(strings = {"ceems-slurm-nvidia-ipmiutil.prom", "ceems-nvidia-gpu-reordering.prom"})
    void otherMetricsTellOfNoDevices(String file) throws Exception {
        read(Fixtures.shared("prometheus/" + file));
        assertThat(hosts.hosts()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "dcgm-a100-mig-active-1g5gb.prom | 9:1g.5gb",
                "dcgm-a100-mig-idle-1g5gb-allocated.prom | 8:1g.5gb",
                "dcgm-a100-mig-active-2x1g5gb-2g10gb.prom | 5:2g.10gb 7:1g.5gb 9:1g.5gb",
                "dcgm-a100-mig-4-active-workloads.prom | 5:2g.10gb 7:1g.5gb 8:1g.5gb 9:1g.5gb",
                "dcgm-a100-mig-enabled-empty.prom | ''"
            })
    void migDevicesAreToldFromTheirGpu(String file, String slices) throws Exception {
        read(Fixtures.shared("prometheus/" + file));
        List<String> found = new ArrayList<>();
        for (AcceleratorProfile device : devices()) {
            device.partition()
                    .ifPresent(slice -> found.add(slice.id().substring("GI-".length()) + ":" + slice.shape()));
        }
        assertThat(String.join(" ", found)).isEqualTo(slices);
        assertThat(boards())
                .singleElement()
                .extracting(AcceleratorProfile::isDivided)
                .isEqualTo(!slices.isEmpty());
    }

    @Test
    void oneOfEightGpusHasAPod() throws Exception {
        read(Fixtures.shared("prometheus/dcgm-h100-k8s-aicr.prom"));
        HostReport host = hosts.hosts().getFirst();
        assertThat(host.name()).isEqualTo("gpu-node-1");
        assertThat(host.claims())
                .containsExactly(new Claim(
                        "pod dynamo-workload/vllm-agg-0-vllmdecodeworker-s65j5",
                        "",
                        1,
                        List.of(devices().getFirst().id())));
        AcceleratorProfile first = devices().getFirst();
        assertThat(first.reading(DeviceFact.PCI_ADDRESS).find()).isEqualTo(PciAddress.find("0000:53:00.0"));
        assertThat(first.reading(DeviceFact.TEMPERATURE).find()).contains(new Celsius(30));
        assertThat(first.reading(DeviceFact.DRIVER_VERSION).find()).contains("580.105.08");
    }

    @Test
    void blanksOfDcgmAreNoTemperatures() throws Exception {
        assertThat(read(Fixtures.shared("prometheus/dcgm-readme-sample-1.txt"))).isEqualTo(4);
        assertThat(devices()).singleElement().satisfies(device -> {
            assertThat(device.reading(DeviceFact.MEMORY_TEMPERATURE).isKnown()).isFalse();
            assertThat(device.reading(DeviceFact.CLOCK).find().orElseThrow().value())
                    .isEqualTo(139_000_000);
        });
    }

    @Test
    void gpuMigDeviceAndExporterOnOnePage() throws Exception {
        read(Fixtures.shared("prometheus/dcgm-netdata-valid.prom"));
        assertThat(hosts.hosts()).singleElement().extracting(HostReport::name).isEqualTo("host1");
        assertThat(devices()).hasSize(2);
        assertThat(devices().getLast().partition().map(Partition::shape)).contains("1g.10gb");
        assertThat(devices().getLast().reading(DeviceFact.UTILIZATION).find()).contains(new Ratio(0.6));
        assertThat(devices().getFirst().reading(DeviceFact.UTILIZATION).find()).contains(new Ratio(0.8));
    }

    @Test
    void renamedLabelsNameTheUsersPod() throws Exception {
        read(Fixtures.shared("prometheus/dcgm-label-remap-datadog.prom"));
        assertThat(devices()).hasSize(1);
        assertThat(hosts.hosts().getFirst().claims())
                .singleElement()
                .satisfies(claim -> assertThat(claim.holder()).endsWith("/bar"));
    }

    @Test
    void theFirstReleasesOfAmdsExporter() throws Exception {
        read(Fixtures.shared("prometheus/amd-device-metrics-exporter-mini.prom"));
        assertThat(devices()).singleElement().satisfies(device -> {
            assertThat(device.id()).hasToString("rocm:0");
            assertThat(device.reading(DeviceFact.POWER).find()).contains(new Watts(41));
            assertThat(device.memory().find()).contains(Bytes.of(68_702_000_000L));
        });
    }

    @Test
    void computeInstancesShareTheMemoryOfTheirGpuInstance() throws Exception {
        read(Fixtures.shared("prometheus/nvidia-gpu-exporter-demo-seeded.prom"));
        assertThat(devices())
                .extracting(device -> device.partition().map(Partition::shape).orElse("whole"))
                .containsExactly("whole", "1c.3g.71gb", "1c.3g.71gb", "1g.18gb", "whole");
        assertThat(boards()).extracting(AcceleratorProfile::isDivided).containsExactly(true, false);
        assertThat(boards().getFirst().memory().find()).contains(Bytes.of(150_754_820_096L));
    }

    @Test
    void ourOwnMetrics() throws Exception {
        assertThat(read(Fixtures.own("prometheus/accel.synthetic.prom"))).isZero();
        assertThat(hosts.hosts()).extracting(HostReport::name).containsExactly("a", "b");
        assertThat(devices()).extracting(device -> device.id().text()).containsExactly("cuda:0", "cuda:1", "rocm:0");
        AcceleratorProfile first = devices().getFirst();
        assertThat(first.memory().find()).contains(Bytes.ofGib(80));
        assertThat(first.deviceName().find()).contains("NVIDIA H100 80GB HBM3");
        // No number, and less than nothing: both say nothing.
        assertThat(devices().get(1).reading(DeviceFact.UTILIZATION).isKnown()).isFalse();
        assertThat(devices().get(1).reading(DeviceFact.POWER).isKnown()).isFalse();
    }

    @Test
    void oldSeriesAreLeftOut() throws Exception {
        long old = NOW.minusSeconds(301).toEpochMilli();
        long fresh = NOW.minusSeconds(299).toEpochMilli();
        read("DCGM_FI_DEV_FB_USED{gpu=\"0\",UUID=\"GPU-old\",Hostname=\"a\"} 1 " + old + "\n"
                + "DCGM_FI_DEV_FB_USED{gpu=\"1\",UUID=\"GPU-new\",Hostname=\"a\"} 1 " + fresh + "\n");
        assertThat(devices())
                .extracting(device -> device.reading(DeviceFact.UUID).find().orElse(""))
                .containsExactly("GPU-new");
        assertThat(hosts.gaps())
                .singleElement()
                .extracting(Gap::display)
                .asString()
                .contains("1 series are older than 5 minutes and left out, such as DCGM_FI_DEV_FB_USED of a");
    }

    @Test
    void anExportersPodIsNoHost() throws Exception {
        read("DCGM_FI_DEV_FB_USED{gpu=\"0\",UUID=\"GPU-1\",Hostname=\"nvidia-dcgm-exporter-km55s\","
                + "instance=\"10.0.0.7:9400\",pod=\"nvidia-dcgm-exporter-km55s\",namespace=\"gpu-operator\"} 1\n");
        assertThat(hosts.hosts()).singleElement().satisfies(host -> {
            assertThat(host.name()).isEqualTo("10.0.0.7");
            assertThat(host.claims()).isEmpty();
        });
    }

    @Test
    void aMatrixCountsByItsLastValues() throws Exception {
        List<Sample> samples = new ArrayList<>();
        QueryAnswer.read(
                new ByteArrayInputStream(Fixtures.shared("prometheus/prometheus-api-query-range-gpus.json")
                        .getBytes(StandardCharsets.UTF_8)),
                samples::add);
        assertThat(samples).hasSize(5);
        assertThat(samples).extracting(sample -> sample.label("state")).contains("allocated", "down", "drain");
    }

    @Test
    void anAnswerWithoutSeries() throws Exception {
        List<Sample> samples = new ArrayList<>();
        QueryAnswer.read(
                new ByteArrayInputStream(Fixtures.shared("prometheus/prometheus-api-unknown-metric.json")
                        .getBytes(StandardCharsets.UTF_8)),
                samples::add);
        assertThat(samples).isEmpty();
    }

    @Test
    void somethingElseIsNoAnswer() {
        assertThatThrownBy(() ->
                        QueryAnswer.read(new ByteArrayInputStream("{}".getBytes(StandardCharsets.UTF_8)), _ -> {}))
                .isInstanceOf(IOException.class)
                .hasMessage("the answer is not from Prometheus");
    }
}
