// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.muster.core.Gap;
import dev.muster.core.MemoryDevice;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.Contexts;
import dev.muster.detect.Fixtures;
import dev.muster.detect.host.HostSketch;
import dev.muster.detect.probe.ProbeContext;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryProbeTest {
    private static final String CXL = "/sys/bus/cxl/devices/";
    private static final String DAX = "/sys/bus/dax/devices/";

    private final List<Gap> gaps = new ArrayList<>();

    private List<MemoryDevice> probe(HostSketch host) {
        ProbeContext context = Contexts.of(host);
        return new MemoryProbe(context, gaps::add).probe(new NumaProbe().probe(context, gaps::add));
    }

    private static HostSketch hwloc(String archive, String root) throws IOException {
        return new HostSketch().tar(Fixtures.sharedTar("topology/hwloc-sysfs/" + archive), root, "");
    }

    private static <T> Optional<T> of(Reading<T> reading) {
        return reading.find();
    }

    @Test
    void aMachineWithoutAnyHasNone() {
        assertThat(probe(new HostSketch().file("/sys/devices/system/node/node0/cpulist", "0-3\n")))
                .isEmpty();
        assertThat(gaps).isEmpty();
    }

    @Test
    void readsTheDaxDevicesOfARealMachine() throws IOException {
        assertThat(probe(hwloc("32em64t-2n8c-dax-nvme-mic-dimms.tar.bz2", "32em64t-2n8c+1mic")))
                .extracting(
                        MemoryDevice::kind,
                        MemoryDevice::name,
                        device -> of(device.size()),
                        device -> of(device.numaNode()),
                        device -> of(device.kernelDriver()))
                .containsExactly(
                        dax("dax0.0", 107_808_292_864L, 4, "device_dax"),
                        dax("dax1.3", 63_415_779_328L, 5, "device_dax"),
                        dax("dax1.4", 545_391_640_576L, 5, "kmem"));
        assertThat(gaps).isEmpty();
    }

    private static Tuple dax(String name, long bytes, long node, String driver) {
        return tuple(
                MemoryDevice.MemoryKind.DAX,
                name,
                Optional.of(Bytes.of(bytes)),
                Optional.of(node),
                Optional.of(driver));
    }

    @Test
    void readsTheCachesOfARealMachine() throws IOException {
        List<MemoryDevice> caches = probe(hwloc("memorysidecaches.tar.bz2", "memorysidecaches"));

        assertThat(caches)
                .extracting(MemoryDevice::name, device -> of(device.numaNode()))
                .containsExactly(
                        tuple("node0/index1", Optional.of(0L)),
                        tuple("node1/index1", Optional.of(1L)),
                        tuple("node2/index1", Optional.of(2L)),
                        tuple("node3/index1", Optional.of(3L)));
        assertThat(caches).allMatch(cache -> cache.kind() == MemoryDevice.MemoryKind.MEMORY_SIDE_CACHE);
        assertThat(caches).allMatch(cache -> of(cache.size()).orElseThrow().equals(Bytes.ofGib(96)));
    }

    @Test
    void syntheticCachesOfOneNode() {
        HostSketch host = new HostSketch()
                .file("/sys/devices/system/node/node2/cpulist", "\n")
                .file("/sys/devices/system/node/node2/memory_side_cache/index1/size", "17179869184\n")
                .folder("/sys/devices/system/node/node2/memory_side_cache/power");

        MemoryDevice cache = probe(host).getFirst();

        assertThat(cache.name()).isEqualTo("node2/index1");
        assertThat(of(cache.size())).contains(Bytes.ofGib(16));
        assertThat(of(cache.numaNode())).contains(2L);
    }

    @Test
    void syntheticCxlMemoryIsToldApartByWhetherItLasts() {
        HostSketch host = new HostSketch()
                .file(CXL + "mem0/ram/size", "0x4000000000\n")
                .file(CXL + "mem0/pmem/size", "0x0\n")
                .file(CXL + "mem0/numa_node", "1\n")
                .file(CXL + "mem1/ram/size", "0x0\n")
                .file(CXL + "mem1/pmem/size", "0x2000000000\n")
                .file(CXL + "mem1/numa_node", "-1\n")
                .file(CXL + "mem2/ram/size", "0x1000000000\n")
                .file(CXL + "mem2/pmem/size", "0x1000000000\n")
                .folder(CXL + "root0")
                .folder(CXL + "decoder0.0");

        assertThat(probe(host))
                .extracting(
                        MemoryDevice::kind,
                        MemoryDevice::name,
                        device -> of(device.size()),
                        device -> of(device.numaNode()))
                .containsExactly(
                        tuple(MemoryDevice.MemoryKind.CXL, "mem0", Optional.of(Bytes.ofGib(256)), Optional.of(1L)),
                        tuple(
                                MemoryDevice.MemoryKind.CXL_PERSISTENT,
                                "mem1",
                                Optional.of(Bytes.ofGib(128)),
                                Optional.empty()),
                        tuple(MemoryDevice.MemoryKind.CXL, "mem2", Optional.of(Bytes.ofGib(64)), Optional.empty()),
                        tuple(
                                MemoryDevice.MemoryKind.CXL_PERSISTENT,
                                "mem2",
                                Optional.of(Bytes.ofGib(64)),
                                Optional.empty()));
    }

    @Test
    void aSizeThatNobodyTellsIsUnknownAndNotZero() {
        HostSketch host = new HostSketch()
                .folder(CXL + "mem0")
                .file(CXL + "mem1/ram/size", "many\n")
                .folder(DAX + "dax0.0");

        assertThat(probe(host)).hasSize(3).noneMatch(device -> device.size().isKnown());
    }

    @Test
    void syntheticDaxMemoryFallsBackToTheNodeNextToIt() {
        HostSketch host = new HostSketch()
                .file(DAX + "dax0.0/size", "4294967296\n")
                .file(DAX + "dax0.0/target_node", "-1\n")
                .file(DAX + "dax0.0/numa_node", "0\n")
                .link(DAX + "dax0.0/driver", "../../../../bus/dax/drivers/kmem");

        MemoryDevice device = probe(host).getFirst();

        assertThat(of(device.size())).contains(Bytes.ofGib(4));
        assertThat(of(device.numaNode())).contains(0L);
        assertThat(of(device.kernelDriver())).contains("kmem");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0x", "4000", "0xg", "0x-5", "0x+5", "0x11112222333344445"})
    void aSizeThatIsNoneIsUnknown(String text) {
        assertThat(MemoryProbe.parseHexadecimal(text)).isEmpty();
    }
}
