// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.PciAddress;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Hertz;
import dev.muster.detect.host.HostSketch;
import dev.muster.detect.probe.ProbeReport;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class VendorProbeTest {
    private static final String FIRST = "0000:17:00.0";
    private static final Map<Backend, String> VENDORS = Map.ofEntries(
            Map.entry(Backend.ASCEND, "19E5"),
            Map.entry(Backend.TENSTORRENT, "1E52"),
            Map.entry(Backend.FURIOSA, "1ED2"),
            Map.entry(Backend.REBELLIONS, "1EFF"),
            Map.entry(Backend.CAMBRICON, "CABC"),
            Map.entry(Backend.MOORE_THREADS, "1ED5"),
            Map.entry(Backend.HYGON, "1D94"),
            Map.entry(Backend.METAX, "9999"),
            Map.entry(Backend.ILUVATAR, "1E3E"),
            Map.entry(Backend.ENFLAME, "1E36"),
            Map.entry(Backend.KUNLUN, "1D22"));

    @ParameterizedTest
    @MethodSource("vendorsWithBusId")
    void findsEveryVendorOnTheBusWithoutInventingMemory(Backend row) {
        HostSketch host = new HostSketch()
                .pci(FIRST, id(row, "7777"), "120000", "driver")
                .pci("0000:18:00.0", id(row, "7777"), "120000", "")
                .pci("0000:19:00.0", id(row, "7778"), "040300", "snd_hda_intel")
                .pci("0000:1a:00.0", id(row, "7779"), "060400", "pcieport");

        ProbeReport report = probe(row, host);

        assertThat(row.probe().hasSigns(Contexts.of(host))).isTrue();
        assertThat(report.profiles()).hasSize(2);
        AcceleratorProfile first = report.profiles().getFirst();
        assertThat(first.accelerator().kind()).isEqualTo(row.kinds().getFirst());
        assertThat(first.memory().isKnown()).isFalse();
        assertThat(first.reading(DeviceFact.PCI_ADDRESS).find()).isEqualTo(PciAddress.find(FIRST));
        assertThat(first.reading(DeviceFact.PCI_ID).find())
                .contains(id(row, "7777").toLowerCase(Locale.ROOT));
        assertThat(first.reading(DeviceFact.KERNEL_DRIVER).find()).contains("driver");
        assertThat(report.gaps()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("vendorsWithBusId")
    void findsNothingOnOtherHosts(Backend row) {
        HostSketch host = new HostSketch()
                .pci(FIRST, "10DE:2330", "030200", "nvidia")
                .file("/dev/null", "")
                .file("/dev/nvidia0", "")
                .tool("xpu-smi *", "Intel")
                .tool("rocm-smi *", "GPU");

        assertThat(row.probe().hasSigns(Contexts.of(host))).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "ASCEND, D802, Ascend 910B",
        "ASCEND, D801, Ascend 910",
        "ASCEND, D500, Ascend 310P",
        "FURIOSA, 0000, WARBOY",
        "FURIOSA, 0001, RNGD",
        "REBELLIONS, 1120, RBLN-CA12",
        "REBELLIONS, 1220, RBLN-CA22",
        "REBELLIONS, 1250, RBLN-CA25",
        "REBELLIONS, 2030, RBLN-CR03",
    })
    void namesModelsByTheirIds(Backend row, String device, String name) {
        ProbeReport report = probe(row, new HostSketch().pci(FIRST, id(row, device), "120000", ""));

        assertThat(report.profiles().getFirst().deviceName().find()).contains(name);
    }

    @ParameterizedTest
    @CsvSource({"FACA, Grayskull", "401E, Wormhole", "B140, Blackhole"})
    void namesTenstorrentsChipsByTheirIds(String device, String chip) {
        Backend row = Backend.TENSTORRENT;
        ProbeReport report = probe(row, new HostSketch().pci(FIRST, id(row, device), "120000", ""));

        assertThat(report.profiles().getFirst().reading(DeviceFact.ARCHITECTURE).find())
                .contains(chip);
    }

    @ParameterizedTest
    @CsvSource({
        "ASCEND, /dev/davinci0, /dev/davinci1, /dev/davinci_manager",
        "TENSTORRENT, /dev/tenstorrent/0, /dev/tenstorrent/1, /dev/tenstorrent/by-id",
        "FURIOSA, /dev/rngd/npu0mgmt, /dev/rngd/npu1pe0, /dev/rngd/npu1pe1",
        "REBELLIONS, /dev/rbln0, /dev/rbln1, /dev/rblnctl",
        "CAMBRICON, /dev/cambricon_dev0, /dev/cambricon_dev1, /dev/cambricon_ctl",
        "MOORE_THREADS, /dev/mtgpu.0, /dev/mtgpu.1, /dev/mtgpu",
        "ILUVATAR, /dev/iluvatar0, /dev/iluvatar1, /dev/iluvatarctl",
        "ENFLAME, /dev/gcu0, /dev/gcu1, /dev/gcuctl",
    })
    void countsNodesWhereTheBusIsHidden(Backend row, String one, String two, String other) {
        HostSketch host = new HostSketch().file(one, "").file(two, "").file(other, "");

        assertThat(row.probe().hasSigns(Contexts.of(host))).isTrue();
        assertThat(probe(row, host).profiles()).hasSize(2);
    }

    @Test
    void takesNoDisplayOrNetworkCardOfHuaweisForAnNpu() {
        HostSketch host = new HostSketch()
                .pci(FIRST, "19E5:1711", "030000", "hibmc-drm")
                .pci("0000:18:00.0", "19E5:A222", "020000", "hns3");

        assertThat(Backend.ASCEND.probe().hasSigns(Contexts.of(host))).isFalse();
    }

    @Test
    void pitfall18_aToolCalledRocmSmiMakesNoDcuAndHygonsProcessorsAreNone() {
        HostSketch processor = new HostSketch()
                .pci("0000:00:00.0", "1D94:1450", "060000", "")
                .tool(
                        "rocm-smi",
                        "DCU  Temp  AvgPwr  Perf  PwrCap  VRAM%  DCU%\n0  45.0c  25.0W  auto  280.0W  0%  0%");

        assertThat(Backend.HYGON.probe().hasSigns(Contexts.of(processor))).isFalse();
    }

    @Test
    void pitfall18_aDcuIsKnownByItsVendorAndItsDriversFiles() {
        String folder = "/sys/bus/pci/devices/" + FIRST;
        HostSketch host = new HostSketch()
                .pci(FIRST, "1D94:6210", "038000", "hydcu")
                .file(folder + "/mem_info_vram_total", "68702699520\n")
                .file(folder + "/mem_info_vram_used", "1048576\n")
                .tool("hy-smi --showproductname --json", "{\"card0\": {\"Card Series\": \"K100_AI\"}}");

        AcceleratorProfile dcu = probe(Backend.HYGON, host).profiles().getFirst();

        assertThat(dcu.deviceName().find()).contains("K100_AI");
        assertThat(dcu.memory().find()).contains(Bytes.of(68702699520L));
        assertThat(dcu.reading(DeviceFact.MEMORY_USED).find()).contains(Bytes.of(1048576));
    }

    @Test
    void pitfall19_aDeviceOfKunlunxinsStaysWhereXpuSmiIsIntels() {
        HostSketch host = new HostSketch()
                .pci(FIRST, "1D22:3685", "120000", "kunlun")
                .tool("xpu-smi -m", 106, "The following argument was not expected: -m", "");

        ProbeReport report = probe(Backend.KUNLUN, host);

        assertThat(report.profiles()).hasSize(1);
        assertThat(report.profiles().getFirst().memory().isKnown()).isFalse();
        assertThat(report.gaps()).singleElement().isInstanceOf(Gap.ToolFailed.class);
    }

    @Test
    void pitfall22_diesThatShareABusIdAreDevicesOfTheirOwn() throws IOException {
        HostSketch host = new HostSketch()
                .pci("0000:01:00.0", "19E5:D500", "120000", "devdrv_device_driver")
                .file("/dev/davinci0", "")
                .tool("npu-smi info", Fixtures.own("huawei/npu-smi/310p-duo__25.2__synthetic.txt"));

        ProbeReport report = probe(Backend.ASCEND, host);

        assertThat(report.profiles())
                .hasSize(2)
                .allSatisfy(
                        die -> assertThat(die.reading(DeviceFact.PCI_ID).find()).contains("19e5:d500"));
        assertThat(report.profiles().get(1).deviceName().find()).contains("Ascend 310P3");
        assertThat(report.gaps()).isEmpty();
    }

    @Test
    void pitfall23_theSecondChipOfATenstorrentBoardStandsBesideTheFirst() throws IOException {
        HostSketch host = new HostSketch()
                .pci("0000:01:00.0", "1E52:401E", "120000", "tenstorrent")
                .tool("tt-smi -s", Fixtures.own("tenstorrent/tt-smi/n300__2.3.0__synthetic.json"));

        ProbeReport report = probe(Backend.TENSTORRENT, host);

        assertThat(report.profiles())
                .hasSize(2)
                .allSatisfy(chip -> assertThat(chip.memory().find()).contains(Bytes.ofGib(12)));
        assertThat(report.profiles().get(0).reading(DeviceFact.KERNEL_DRIVER).find())
                .contains("tenstorrent");
        assertThat(report.profiles().get(1).reading(DeviceFact.PCI_ADDRESS).isKnown())
                .isFalse();
        assertThat(report.gaps()).isEmpty();
    }

    @Test
    void readsTenstorrentsOwnFolder() {
        String folder = "/sys/class/tenstorrent/tenstorrent!0/";
        HostSketch host = new HostSketch()
                .pci("0000:01:00.0", "1E52:B140", "120000", "tenstorrent")
                .link(folder + "device", "../../../0000:01:00.0")
                .file(folder + "tt_card_type", "p150a\n")
                .file(folder + "tt_fw_bundle_ver", "18.7.0.0\n")
                .file(folder + "tt_aiclk", "800\n");

        AcceleratorProfile board = probe(Backend.TENSTORRENT, host).profiles().getFirst();

        assertThat(board.deviceName().find()).contains("p150a");
        assertThat(board.reading(DeviceFact.CLOCK).find()).contains(Hertz.ofMegahertz(800));
        assertThat(board.reading(DeviceFact.FIRMWARE_VERSION).find()).contains("18.7.0.0");
        assertThat(board.memory().find()).contains(Bytes.ofGib(32));
    }

    @Test
    void asksTheOlderToolOfRebellionsWhereTheNewerIsMissing() throws IOException {
        HostSketch host =
                new HostSketch().tool("rbln-stat -j", Fixtures.own("rebellions/rbln-smi/ca25__3.0.0__synthetic.json"));

        assertThat(Backend.REBELLIONS.probe().hasSigns(Contexts.of(host))).isTrue();
        assertThat(probe(Backend.REBELLIONS, host).profiles()).hasSize(2);
    }

    @Test
    void saysWhyMemoryIsNotKnown() {
        HostSketch host = new HostSketch().pci(FIRST, "CABC:0370", "120000", "cambricon");

        assertThat(reasonOf(probe(Backend.CAMBRICON, host))).isEqualTo(UnknownReason.NOT_INSTALLED);
        assertThat(reasonOf(probe(Backend.CAMBRICON, host.tool("cnmon info -m", 0, "", "", Duration.ofMinutes(1)))))
                .isEqualTo(UnknownReason.TIMED_OUT);
    }

    @Test
    void saysThatAToolMakesNoSense() {
        HostSketch host =
                new HostSketch().pci(FIRST, "1ED5:0300", "030000", "mtgpu").tool("mthreads-gmi -q --json", "?");

        ProbeReport report = probe(Backend.MOORE_THREADS, host);

        assertThat(report.profiles()).hasSize(1);
        assertThat(report.gaps()).singleElement().isInstanceOf(Gap.Unparsable.class);
    }

    @Test
    void pairsDevicesWithoutAddressesOnlyWhereThereIsOne() {
        String csv = "index, driver_version, name, memory.total [MiB]\n0, 4.4.0, BI-V150, 32768 MiB\n";
        HostSketch one =
                new HostSketch().pci(FIRST, "1E3E:0001", "120000", "iluvatar").tool("ixsmi *", csv);
        HostSketch two = new HostSketch()
                .pci(FIRST, "1E3E:0001", "120000", "iluvatar")
                .pci("0000:18:00.0", "1E3E:0001", "120000", "iluvatar")
                .tool("ixsmi *", csv + "1, 4.4.0, BI-V150, 32768 MiB\n");

        assertThat(probe(Backend.ILUVATAR, one)
                        .profiles()
                        .getFirst()
                        .reading(DeviceFact.PCI_ADDRESS)
                        .isKnown())
                .isTrue();
        assertThat(probe(Backend.ILUVATAR, two).profiles()).hasSize(2).allSatisfy(gpu -> {
            assertThat(gpu.reading(DeviceFact.PCI_ADDRESS).isKnown()).isFalse();
            assertThat(gpu.reading(DeviceFact.PCI_ID).find()).contains("1e3e:0001");
            assertThat(gpu.memory().find()).contains(Bytes.ofMib(32768));
        });
    }

    @Test
    void keepsADeviceThatTheToolDoesNotList() {
        HostSketch host = new HostSketch()
                .pci("0000:30:00.0", "1ED2:0001", "120000", "rngd")
                .pci("0000:31:00.0", "1ED2:0001", "120000", "rngd")
                .tool("furiosa-smi info", """
                        | Arch | Device | Firmware | Temp.   | Power | PCI-BDF      |
                        | RNGD | npu0   | 1.7.0    | 40.98°C | 38 W  | 0000:30:00.0 |
                        """);

        ProbeReport report = probe(Backend.FURIOSA, host);

        assertThat(report.profiles()).hasSize(2);
        assertThat(report.gaps()).singleElement().isInstanceOf(Gap.Conflict.class);
    }

    @Test
    void d37_findsMediaTeksUnitWithoutInventingMemory() {
        HostSketch host = new HostSketch().folder("/sys/class/misc/mtk_apu");
        ProbeReport report = probe(Backend.MEDIATEK_APU, host);

        assertThat(Backend.MEDIATEK_APU.probe().hasSigns(Contexts.of(host))).isTrue();
        assertThat(report.profiles()).hasSize(1);
        AcceleratorProfile unit = report.profiles().getFirst();
        assertThat(unit.accelerator().kind()).isEqualTo(AcceleratorKind.MEDIATEK_APU);
        assertThat(unit.reading(DeviceFact.COMPUTE_CAPABILITY).find()).contains("MDLA");
        assertThat(unit.memory().isKnown()).isFalse();
    }

    @Test
    void findsSamsungsUnitOnce() {
        HostSketch host = new HostSketch().file("/dev/samsung_npu0", "").file("/dev/samsung_npu1", "");

        assertThat(probe(Backend.SAMSUNG_NPU, host).profiles()).hasSize(1);
    }

    @Test
    void everyNodeOfGroqsIsACard() {
        HostSketch two = new HostSketch().file("/dev/groqA0", "").file("/dev/groqA1", "");
        HostSketch unnumbered = new HostSketch().file("/dev/groq", "");

        assertThat(probe(Backend.GROQ, two).profiles()).hasSize(2);
        assertThat(Backend.GROQ.probe().hasSigns(Contexts.of(unnumbered))).isTrue();
        assertThat(probe(Backend.GROQ, unnumbered).profiles()).hasSize(1);
    }

    @Test
    void findsGroqsCardsOnTheBus() {
        HostSketch host = new HostSketch().file("/dev/groqA0", "").pci("0000:21:00.0", "1DE0:0001", "058000", "groq");

        AcceleratorProfile card = probe(Backend.GROQ, host).profiles().getFirst();

        assertThat(card.reading(DeviceFact.PCI_ID).find()).contains("1de0:0001");
        assertThat(card.reading(DeviceFact.COMPUTE_CAPABILITY).find()).contains("LPU");
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void findsNothingOnAnEmptyHost(Backend backend) {
        assertThat(backend.probe().hasSigns(Contexts.of(new HostSketch()))).isFalse();
    }

    private static UnknownReason reasonOf(ProbeReport report) {
        return report.profiles().getFirst().memory() instanceof Reading.Unknown<Bytes>(UnknownReason reason, var _)
                ? reason
                : UnknownReason.NOT_PROBED;
    }

    static Set<Backend> vendorsWithBusId() {
        return VENDORS.keySet();
    }

    private static String id(Backend row, String device) {
        return VENDORS.get(row) + ":" + device;
    }

    private static ProbeReport probe(Backend row, HostSketch host) {
        return row.probe().probe(Contexts.of(host));
    }
}
