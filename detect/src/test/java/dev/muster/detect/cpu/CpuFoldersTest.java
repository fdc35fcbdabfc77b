// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Hertz;
import dev.muster.detect.Contexts;
import dev.muster.detect.Fixtures;
import dev.muster.detect.host.HostSketch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CpuFoldersTest {
    private final List<Gap> gaps = new ArrayList<>();

    private CpuFolders folders(HostSketch host) {
        return new CpuFolders(Contexts.of(host), gaps::add);
    }

    private static HostSketch cpu(HostSketch host, int number, String kib, String sharers) {
        String folder = "/sys/devices/system/cpu/cpu" + number;
        return host.file(folder + "/cache/index0/level", "1\n")
                .file(folder + "/cache/index1/level", "3\n")
                .file(folder + "/cache/index1/size", kib + "K\n")
                .file(folder + "/cache/index1/shared_cpu_list", sharers + "\n");
    }

    @Test
    void multipliesTheCacheByItsInstances() {
        HostSketch host = new HostSketch().file("/sys/devices/system/cpu/online", "0-15\n");
        cpu(host, 0, "32768", "0-3");
        cpu(host, 15, "32768", "12-15");

        assertThat(folders(host).lastCache().find()).contains(Bytes.ofMib(128));
    }

    @Test
    void sumsCachesThatDiffer() {
        HostSketch host = new HostSketch().file("/sys/devices/system/cpu/online", "0-3\n");
        cpu(host, 0, "8192", "0-1");
        cpu(host, 2, "16384", "2-3");
        cpu(host, 3, "16384", "2-3");

        assertThat(folders(host).lastCache().find()).contains(Bytes.ofMib(24));
    }

    @Test
    void aCacheThatIsNotDescribedIsUnknown() {
        HostSketch host = new HostSketch().file("/sys/devices/system/cpu/online", "0-3\n");
        cpu(host, 0, "8192", "0-1");

        assertThat(folders(host).lastCache().isKnown()).isFalse();
        assertThat(folders(new HostSketch()).lastCache().isKnown()).isFalse();
        assertThat(folders(new HostSketch()).sockets().isKnown()).isFalse();
    }

    @Test
    void countsSocketsAndCoresByTheFirstProcessor() {
        HostSketch host = new HostSketch()
                .file("/sys/devices/system/cpu/online", "0-127\n")
                .file("/sys/devices/system/cpu/cpu0/topology/package_cpus_list", "0-31,64-95\n")
                .file("/sys/devices/system/cpu/cpu0/topology/thread_siblings_list", "0,64\n");

        assertThat(folders(host).sockets().find()).contains(2L);
        assertThat(folders(host).cores().find()).contains(64L);
    }

    @Test
    void readsADgxSpark() throws IOException {
        AcceleratorProfile cpu = probe("nvidia-dgx-gb10.tar.bz2", "nvidia-dgx-gb10");

        assertThat(cpu.reading(DeviceFact.SOCKETS).find()).contains(1L);
        assertThat(cpu.reading(DeviceFact.COMPUTE_UNITS).find()).contains(20L);
        assertThat(cpu.reading(DeviceFact.THREADS).find()).contains(20L);
        assertThat(cpu.reading(DeviceFact.LAST_CACHE).find()).contains(Bytes.ofMib(24));
        assertThat(cpu.reading(DeviceFact.CLOCK_MAX).find()).contains(new Hertz(3_900_000_000L));
        assertThat(cpu.memory().find()).contains(Bytes.ofKib(125_508_468));
        assertThat(cpu.reading(DeviceFact.CORE_KINDS).find()).contains("5 x 718, 5 x 731, 5 x 997, 5 x 1017-1024");
        assertThat(cpu.reading(DeviceFact.MEMORY_CHANNELS).isKnown()).isFalse();
        assertThat(cpu.reading(DeviceFact.EXTENSIONS).find()).contains("asimd asimdhp asimddp sve sve2 i8mm bf16");
    }

    @Test
    void readsATwoSocketXeon() throws IOException {
        AcceleratorProfile cpu = probe("32em64t-2n8c-dax-nvme-mic-dimms.tar.bz2", "32em64t-2n8c+1mic");

        assertThat(cpu.reading(DeviceFact.SOCKETS).find()).contains(2L);
        assertThat(cpu.reading(DeviceFact.COMPUTE_UNITS).find()).contains(16L);
        assertThat(cpu.reading(DeviceFact.LAST_CACHE).find()).contains(Bytes.ofMib(40));
        assertThat(cpu.reading(DeviceFact.EXTENSIONS).find()).contains("sse4_2 avx");
        assertThat(cpu.reading(DeviceFact.CORE_KINDS).isKnown()).isFalse();
    }

    @Test
    void syntheticCoresOfTwoKinds() {
        HostSketch host = new HostSketch().file("/sys/devices/system/cpu/online", "0-1,4\n");
        capacity(host, 0, "1024");
        capacity(host, 1, "512");
        capacity(host, 4, "1024");

        assertThat(folders(host).coreKinds().find()).contains("1 x 512, 2 x 1024");
    }

    @Test
    void ofHundredsOfProcessorsTheFirstAndTheLastSpeakForTheOthers() {
        HostSketch host = new HostSketch().file("/sys/devices/system/cpu/online", "0-383\n");
        capacity(host, 0, "1024");
        capacity(host, 383, "1024");

        assertThat(folders(host).coreKinds().find()).contains("384 x 1024");
    }

    @Test
    void coresOfWhichOneIsSilentAreUnknown() {
        HostSketch host = new HostSketch().file("/sys/devices/system/cpu/online", "0-1\n");
        capacity(host, 0, "1024");

        assertThat(folders(host).coreKinds().isKnown()).isFalse();
    }

    private static void capacity(HostSketch host, int number, String value) {
        host.file("/sys/devices/system/cpu/cpu" + number + "/cpu_capacity", value + "\n");
    }

    @Test
    void nearCapacitiesAreOneKind() {
        CoreKinds kinds = new CoreKinds();
        for (int capacity : new int[] {1024, 1014, 1013, 500, 500}) {
            kinds.add(capacity, 1);
        }

        assertThat(kinds.text()).isEqualTo("2 x 500, 2 x 1013-1014, 1 x 1024");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "-1", "1025", "many", "99999999999999999999"})
    void aCapacityThatIsNoneIsUnknown(String text) {
        assertThat(CoreKinds.parseCapacity(text)).isEmpty();
    }

    @Test
    void picksTheTellingExtensions() {
        assertThat(Extensions.findNamed("fpu sse avx2 fma avx512f amx_bf16 amx_tile amx_int8 avx512_bf16 xyz"))
                .contains("avx2 fma avx512f avx512_bf16 amx_tile amx_int8 amx_bf16");
        assertThat(Extensions.findNamed("fpu avx512f_like")).isEmpty();
        assertThat(Extensions.findNamed("")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "K", "32768", "-1K", "xK", "99999999999999999K"})
    void aSizeThatIsNoneIsUnknown(String text) {
        assertThat(CpuFolders.parseSize(text)).isEmpty();
    }

    private static AcceleratorProfile probe(String archive, String root) throws IOException {
        HostSketch host = new HostSketch().tar(Fixtures.sharedTar("topology/hwloc-sysfs/" + archive), root, "");
        return new CpuProbe().probe(Contexts.of(host)).profiles().getFirst();
    }
}
