package dev.muster.detect.field;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.PciAddress;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Hertz;
import dev.muster.detect.Contexts;
import dev.muster.detect.Fixtures;
import dev.muster.detect.ProbeReport;
import dev.muster.detect.host.HostSketch;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class FieldProbeTest {
    private static final String FIRST = "0000:17:00.0";

    @ParameterizedTest
    @EnumSource(FieldRow.class)
    void findsEveryVendorOnTheBusWithoutInventingMemory(FieldRow row) {
        HostSketch host = new HostSketch()
                .pci(FIRST, id(row, "7777"), "120000", "driver")
                .pci("0000:18:00.0", id(row, "7777"), "120000", "")
                .pci("0000:19:00.0", id(row, "7778"), "040300", "snd_hda_intel")
                .pci("0000:1a:00.0", id(row, "7779"), "060400", "pcieport");

        ProbeReport report = probe(row, host);

        assertThat(new FieldProbe(row).hasSigns(Contexts.of(host))).isTrue();
        assertThat(report.profiles()).hasSize(2);
        AcceleratorProfile first = report.profiles().getFirst();
        assertThat(first.accelerator().kind()).isEqualTo(row.backend().kinds().getFirst());
        assertThat(first.memory().isKnown()).isFalse();
        assertThat(first.reading(DeviceFact.PCI_ADDRESS).find()).isEqualTo(PciAddress.find(FIRST));
        assertThat(first.reading(DeviceFact.PCI_ID).find())
                .contains(id(row, "7777").toLowerCase(Locale.ROOT));
        assertThat(first.reading(DeviceFact.KERNEL_DRIVER).find()).contains("driver");
        assertThat(report.gaps()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(FieldRow.class)
    void findsNothingOnOtherHosts(FieldRow row) {
        HostSketch host = new HostSketch()
                .pci(FIRST, "10DE:2330", "030200", "nvidia")
                .file("/dev/null", "")
                .file("/dev/nvidia0", "")
                .tool("xpu-smi *", "Intel")
                .tool("rocm-smi *", "GPU");

        assertThat(new FieldProbe(row).hasSigns(Contexts.of(host))).isFalse();
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
    void namesModelsByTheirIds(FieldRow row, String device, String name) {
        ProbeReport report = probe(row, new HostSketch().pci(FIRST, id(row, device), "120000", ""));

        assertThat(report.profiles().getFirst().deviceName().find()).contains(name);
    }

    @ParameterizedTest
    @CsvSource({"FACA, Grayskull", "401E, Wormhole", "B140, Blackhole"})
    void namesTenstorrentsChipsByTheirIds(String device, String chip) {
        FieldRow row = FieldRow.TENSTORRENT;
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
    void countsNodesWhereTheBusIsHidden(FieldRow row, String one, String two, String other) {
        HostSketch host = new HostSketch().file(one, "").file(two, "").file(other, "");

        assertThat(new FieldProbe(row).hasSigns(Contexts.of(host))).isTrue();
        assertThat(probe(row, host).profiles()).hasSize(2);
    }

    @Test
    void takesNoDisplayOrNetworkCardOfHuaweisForAnNpu() {
        HostSketch host = new HostSketch()
                .pci(FIRST, "19E5:1711", "030000", "hibmc-drm")
                .pci("0000:18:00.0", "19E5:A222", "020000", "hns3");

        assertThat(new FieldProbe(FieldRow.ASCEND).hasSigns(Contexts.of(host))).isFalse();
    }

    @Test
    void pitfall18_aToolCalledRocmSmiMakesNoDcuAndHygonsProcessorsAreNone() {
        HostSketch processor = new HostSketch()
                .pci("0000:00:00.0", "1D94:1450", "060000", "")
                .tool(
                        "rocm-smi",
                        "DCU  Temp  AvgPwr  Perf  PwrCap  VRAM%  DCU%\n0  45.0c  25.0W  auto  280.0W  0%  0%");

        assertThat(new FieldProbe(FieldRow.HYGON).hasSigns(Contexts.of(processor)))
                .isFalse();
    }

    @Test
    void pitfall18_aDcuIsKnownByItsVendorAndItsDriversFiles() {
        String folder = "/sys/bus/pci/devices/" + FIRST;
        HostSketch host = new HostSketch()
                .pci(FIRST, "1D94:6210", "038000", "hydcu")
                .file(folder + "/mem_info_vram_total", "68702699520\n")
                .file(folder + "/mem_info_vram_used", "1048576\n")
                .tool("hy-smi --showproductname --json", "{\"card0\": {\"Card Series\": \"K100_AI\"}}");

        AcceleratorProfile dcu = probe(FieldRow.HYGON, host).profiles().getFirst();

        assertThat(dcu.deviceName().find()).contains("K100_AI");
        assertThat(dcu.memory().find()).contains(Bytes.of(68702699520L));
        assertThat(dcu.reading(DeviceFact.MEMORY_USED).find()).contains(Bytes.of(1048576));
    }

    @Test
    void pitfall19_aDeviceOfKunlunxinsStaysWhereXpuSmiIsIntels() {
        HostSketch host = new HostSketch()
                .pci(FIRST, "1D22:3685", "120000", "kunlun")
                .tool("xpu-smi -m", 106, "The following argument was not expected: -m", "");

        ProbeReport report = probe(FieldRow.KUNLUN, host);

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

        ProbeReport report = probe(FieldRow.ASCEND, host);

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

        ProbeReport report = probe(FieldRow.TENSTORRENT, host);

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

        AcceleratorProfile board = probe(FieldRow.TENSTORRENT, host).profiles().getFirst();

        assertThat(board.deviceName().find()).contains("p150a");
        assertThat(board.reading(DeviceFact.CLOCK).find()).contains(Hertz.ofMegahertz(800));
        assertThat(board.reading(DeviceFact.FIRMWARE_VERSION).find()).contains("18.7.0.0");
        assertThat(board.memory().find()).contains(Bytes.ofGib(32));
    }

    @Test
    void asksTheOlderToolOfRebellionsWhereTheNewerIsMissing() throws IOException {
        HostSketch host =
                new HostSketch().tool("rbln-stat -j", Fixtures.own("rebellions/rbln-smi/ca25__3.0.0__synthetic.json"));

        assertThat(new FieldProbe(FieldRow.REBELLIONS).hasSigns(Contexts.of(host)))
                .isTrue();
        assertThat(probe(FieldRow.REBELLIONS, host).profiles()).hasSize(2);
    }

    @Test
    void saysWhyMemoryIsNotKnown() {
        HostSketch host = new HostSketch().pci(FIRST, "CABC:0370", "120000", "cambricon");

        assertThat(reasonOf(probe(FieldRow.CAMBRICON, host))).isEqualTo(UnknownReason.NOT_INSTALLED);
        assertThat(reasonOf(probe(FieldRow.CAMBRICON, host.tool("cnmon info -m", 0, "", "", Duration.ofMinutes(1)))))
                .isEqualTo(UnknownReason.TIMED_OUT);
    }

    @Test
    void saysThatAToolMakesNoSense() {
        HostSketch host =
                new HostSketch().pci(FIRST, "1ED5:0300", "030000", "mtgpu").tool("mthreads-gmi -q --json", "?");

        ProbeReport report = probe(FieldRow.MOORE_THREADS, host);

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

        assertThat(probe(FieldRow.ILUVATAR, one)
                        .profiles()
                        .getFirst()
                        .reading(DeviceFact.PCI_ADDRESS)
                        .isKnown())
                .isTrue();
        assertThat(probe(FieldRow.ILUVATAR, two).profiles()).hasSize(2).allSatisfy(gpu -> {
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

        ProbeReport report = probe(FieldRow.FURIOSA, host);

        assertThat(report.profiles()).hasSize(2);
        assertThat(report.gaps()).singleElement().isInstanceOf(Gap.Conflict.class);
    }

    private static UnknownReason reasonOf(ProbeReport report) {
        return report.profiles().getFirst().memory() instanceof Reading.Unknown<Bytes>(UnknownReason reason, var _)
                ? reason
                : UnknownReason.NOT_PROBED;
    }

    private static String id(FieldRow row, String device) {
        return String.format(Locale.ROOT, "%04X:%s", row.vendor(), device);
    }

    private static ProbeReport probe(FieldRow row, HostSketch host) {
        return new FieldProbe(row).probe(Contexts.of(host));
    }
}
