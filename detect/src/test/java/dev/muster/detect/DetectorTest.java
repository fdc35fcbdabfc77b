// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorFamily;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceId;
import dev.muster.core.Gap;
import dev.muster.core.Link;
import dev.muster.core.LinkKind;
import dev.muster.core.NodeId;
import dev.muster.core.SystemIo;
import dev.muster.core.TopologyNode;
import dev.muster.core.json.RegistryDocument;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.host.FakeFiles;
import dev.muster.detect.host.HostAnswer;
import dev.muster.detect.host.HostFiles;
import dev.muster.detect.host.HostSketch;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DetectorTest {
    private static final HostFiles BOX = FakeFiles.of(Map.of(
            "/proc/meminfo", "MemTotal: 1048576 kB\nMemAvailable: 524288 kB\n",
            "/proc/cpuinfo", "processor : 0\nmodel name : Some CPU\n"));

    @Test
    void makesARegistryOfTheHost() {
        AcceleratorRegistry registry = detect(BOX);

        assertThat(registry.profiles()).hasSize(1);
        AcceleratorProfile cpu = registry.profiles().getFirst();
        assertThat(cpu.id()).isEqualTo(new DeviceId("cpu:0"));
        assertThat(cpu.accelerator().family()).isEqualTo(AcceleratorFamily.CPU);
        assertThat(cpu.memory().find()).contains(Bytes.ofGib(1));
        assertThat(cpu.memoryFree().find()).contains(Bytes.ofMib(512));
        assertThat(cpu.deviceName().find()).contains("Some CPU");
        assertThat(registry.gaps()).isEmpty();
        assertThat(registry.hasAccelerator()).isFalse();
        assertThat(registry.referenceSchema()).isEqualTo(3);
    }

    @Test
    void takesTheTimeFromItsClockInMilliseconds() {
        assertThat(detect(BOX).observedAt().find()).contains(Instant.parse("2026-11-15T08:30:00.123Z"));
    }

    @Test
    void joinsEachDeviceToTheHost() {
        AcceleratorRegistry registry = detect(BOX);

        TopologyNode.DeviceNode cpu = TopologyNode.DeviceNode.of(new DeviceId("cpu:0"));
        NodeId host = new NodeId("host");
        assertThat(registry.topology().nodes()).containsExactly(new TopologyNode.HostNode(host, ""), cpu);
        assertThat(registry.topology().links()).containsExactly(Link.of(host, cpu.id(), LinkKind.INTERNAL));
    }

    @Test
    void tellsWhatStandsAroundTheDevices() {
        String card = "/sys/devices/pci0000:80/0000:80:02.0/0000:82:00.0";
        HostSketch host = new HostSketch()
                .file("/sys/devices/system/node/node1/cpulist", "0-7\n")
                .file(card + "/uevent", "PCI_CLASS=20700\nPCI_ID=15B3:1021\n")
                .file(card + "/numa_node", "1\n")
                .link("/sys/bus/pci/devices/0000:82:00.0", card)
                .file(card + "/infiniband/mlx5_0/ports/1/rate", "400 Gb/sec (4X NDR)\n")
                .file(card + "/infiniband/mlx5_0/ports/1/state", "4: ACTIVE\n")
                .link(card + "/infiniband/mlx5_0/device", "../..")
                .link("/sys/class/infiniband/mlx5_0", card + "/infiniband/mlx5_0")
                .file("/sys/block/sda/queue/rotational", "1\n")
                .file("/.dockerenv", "");

        AcceleratorRegistry registry =
                DetectBuilder.all().build(host.host(), System.getLogger("test")).detect();

        assertThat(registry.systemIo().interconnects()).hasSize(1);
        assertThat(registry.systemIo().totalInterconnectBandwidth()).isEqualTo(new Bandwidth(50));
        assertThat(registry.systemIo().storage()).hasSize(1);
        assertThat(registry.systemIo().environment().find().orElseThrow().docker())
                .isTrue();
        assertThat(registry.topology().nodes().stream().map(node -> node.id().text()))
                .containsExactly("host", "numa:1", "device:cpu:0", "pci:0000:80", "pci:0000:80:02.0", "nic:mlx5_0");
        assertThat(RegistryDocument.read(RegistryDocument.write(registry).getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(registry);
    }

    @Test
    void leavesOutWhatNobodyAskedFor() {
        HostSketch host = new HostSketch().file("/sys/block/sda/queue/rotational", "1\n");

        AcceleratorRegistry registry = DetectBuilder.all()
                .withoutSystemIo()
                .build(host.host(), System.getLogger("test"))
                .detect();

        assertThat(registry.systemIo()).isEqualTo(SystemIo.EMPTY);
    }

    @Test
    void whereNothingCanBeReadThereIsAProcessorOfUnknownMemoryAndEveryGapIsListed() {
        AcceleratorRegistry registry = detect(new FakeFiles(Map.of(
                "/proc/meminfo", new HostAnswer.Unreadable<>("Input/output error"),
                "/proc/cpuinfo", new HostAnswer.Unreadable<>("Input/output error"))));

        assertThat(registry.profiles()).hasSize(1);
        assertThat(registry.profiles().getFirst().memory().isKnown()).isFalse();
        assertThat(registry.gaps())
                .containsExactly(
                        new Gap.FileUnreadable("/proc/meminfo", "Input/output error"),
                        new Gap.FileUnreadable("/proc/cpuinfo", "Input/output error"));
    }

    @Test
    void whatItFindsCanBeSavedAndReadBack() {
        AcceleratorRegistry registry = detect(BOX);

        byte[] saved = RegistryDocument.write(registry).getBytes(StandardCharsets.UTF_8);

        assertThat(RegistryDocument.read(saved)).isEqualTo(registry);
    }

    @Test
    void findsTheProcessorOfThisMachine() {
        AcceleratorRegistry registry = Detector.ofThisHost().detect();

        assertThat(registry.profiles()).extracting(AcceleratorProfile::id).contains(new DeviceId("cpu:0"));
        assertThat(registry.observedAt().isKnown()).isTrue();
    }

    private static AcceleratorRegistry detect(HostFiles files) {
        Clock clock = Clock.fixed(Instant.parse("2026-11-15T08:30:00.123456789Z"), ZoneOffset.UTC);
        return DetectBuilder.all()
                .build(Contexts.host(files, clock), System.getLogger("test"))
                .detect();
    }
}
