// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.amd;

import static dev.muster.detect.amd.AmdHosts.TOOL;
import static dev.muster.detect.amd.AmdHosts.fact;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.PciAddress;
import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import dev.muster.core.unit.Hertz;
import dev.muster.core.unit.Watts;
import dev.muster.detect.Fixtures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AmdToolParserTest {
    @Test
    void readsSixMi100() throws IOException {
        String text = Fixtures.shared("amd/rocm-smi-json/mi100_rocm571.json");
        List<AcceleratorProfile> gpus = RocmSmiFacts.parse(text, TOOL);

        assertThat(gpus).hasSize(6).allSatisfy(gpu -> {
            assertThat(gpu.deviceName().find()).contains("Arcturus GL-XL [Instinct MI100]");
            assertThat(fact(gpu, DeviceFact.PCI_ID)).contains("1002:738c");
            assertThat(gpu.memory().find()).contains(Bytes.of(34_342_961_152L));
            assertThat(fact(gpu, DeviceFact.NUMA_NODE)).contains(0L);
            assertThat(fact(gpu, DeviceFact.TEMPERATURE).orElseThrow().degrees())
                    .isBetween(30.0, 33.0);
            assertThat(fact(gpu, DeviceFact.POWER).orElseThrow().value()).isBetween(35.0, 40.0);
            assertThat(fact(gpu, DeviceFact.POWER_LIMIT)).contains(new Watts(290));
            assertThat(fact(gpu, DeviceFact.DRIVER_VERSION)).contains("6.2.4");
            assertThat(gpu.reading(DeviceFact.UUID).isKnown()).isFalse();
        });
        assertThat(gpus)
                .extracting(
                        gpu -> fact(gpu, DeviceFact.PCI_ADDRESS).orElseThrow().bus())
                .containsExactly(0x1e, 0x22, 0x3f, 0x43, 0x46, 0x49);
        Map<String, JsonValue> system =
                ((JsonValue.JsonObject) JsonValue.parse(text).find("system").orElseThrow()).members();
        assertThat(system)
                .containsEntry("(Topology) Link type between DRM devices 0 and 5", new JsonValue.JsonString("PCIE"))
                .containsEntry("(Topology) Hops between DRM devices 0 and 5", new JsonValue.JsonString("2"))
                .containsEntry("(Topology) Weight between DRM devices 0 and 5", new JsonValue.JsonString("40"));
    }

    @Test
    void pitfall13_aSeriesThatIsAnIdIsNoName() throws IOException {
        AcceleratorProfile gpu = rocmSmi("rx6700xt_rocm430");

        assertThat(gpu.deviceName().isKnown()).isFalse();
        assertThat(fact(gpu, DeviceFact.PCI_ID)).contains("1002:73df");
        assertThat(AmdModel.find(0x73df, AmdModel.ANY).flatMap(AmdModel::findChip))
                .contains("AMD Navi 22");
        assertThat(gpu.memory().find()).contains(Bytes.of(12_868_124_672L));
        assertThat(fact(gpu, DeviceFact.MEMORY_TEMPERATURE)).contains(new Celsius(46));
        assertThat(fact(gpu, DeviceFact.CLOCK)).contains(Hertz.ofMegahertz(500));
    }

    @Test
    void pitfall13_keysChangeBetweenReleasesAndPowerCanBeAnExcuse() throws IOException {
        AcceleratorProfile gpu = rocmSmi("rx6700xt_rocm602");

        assertThat(fact(gpu, DeviceFact.PCI_ID)).contains("1002:73df");
        assertThat(gpu.reading(DeviceFact.POWER).isKnown()).isFalse();
        assertThat(gpu.deviceName().find()).contains("Navi 22 [Radeon RX 6700/6700 XT / 6800M]");
    }

    @Test
    void readsMi50() throws IOException {
        AcceleratorProfile gpu = rocmSmi("vega-20-WKS-GL-XE");

        assertThat(gpu.deviceName().find()).contains("Radeon Instinct MI50 32GB");
        assertThat(gpu.memory().find()).contains(Bytes.of(34_342_961_152L));
        assertThat(fact(gpu, DeviceFact.PCI_ADDRESS)).contains(new PciAddress(0, 0x63, 0, 0));
        assertThat(fact(gpu, DeviceFact.TEMPERATURE)).contains(new Celsius(36));
        assertThat(fact(gpu, DeviceFact.POWER)).contains(new Watts(26));
        assertThat(fact(gpu, DeviceFact.UUID)).contains("GPU-02f048617326b1ea");
        assertThat(fact(gpu, DeviceFact.DRIVER_VERSION)).contains("5.9.17");
    }

    private static AcceleratorProfile rocmSmi(String name) throws IOException {
        List<AcceleratorProfile> gpus =
                RocmSmiFacts.parse(Fixtures.shared("amd/rocm-smi-json/" + name + ".json"), TOOL);
        assertThat(gpus).hasSize(1);
        return gpus.getFirst();
    }

    @Test
    void pitfall13_comparesKeysWithoutCase() {
        List<AcceleratorProfile> gpus = RocmSmiFacts.parse("""
                {"card3": {"DEVICE ID": "0x74a1", "Card Series": "AMD Instinct MI300X OAM", "Card Model": "0x74a1",
                 "Card Vendor": "Advanced Micro Devices, Inc. [AMD/ATI]", "Unique ID": "0x8d1457e2c20f59d2",
                 "Current Socket Graphics Package Power (W)": "133.0", "Temperature (Sensor junction) (C)": "35.0",
                 "VRAM Total Memory (B)": "206141652992", "Compute Partition": "SPX", "Memory Partition": "NPS1"},
                 "system": {"Driver version": "6.7.0"}}
                """, TOOL);

        AcceleratorProfile gpu = gpus.getFirst();
        assertThat(gpu.deviceName().find()).contains("AMD Instinct MI300X OAM");
        assertThat(fact(gpu, DeviceFact.UUID)).contains("GPU-8d1457e2c20f59d2");
        assertThat(fact(gpu, DeviceFact.POWER)).contains(new Watts(133));
        assertThat(fact(gpu, DeviceFact.TEMPERATURE)).contains(new Celsius(35));
        assertThat(fact(gpu, DeviceFact.PARTITIONING)).contains("none");
    }

    @Test
    void pitfall18_claimsNoDeviceOfHygonsToolOfTheSameName() {
        assertThat(RocmSmiFacts.parse("""
                        {"card0": {"Device ID": "0x54b7", "Card series": "K100_AI", "DCU use (%)": "0",
                         "Card vendor": "Chengdu Haiguang IC Design Co., Ltd.", "VRAM Total Memory (B)": "68702699520"},
                         "card1": {"Device ID": "0x54b7", "HCU use (%)": "0"},
                         "card2": {"Card series": "Z100", "Temp": "49.0C", "VRAM%": "0%"}}
                        """, TOOL)).isEmpty();
    }

    @Test
    void readsTheSameFactsFromShowAllForPeople() throws IOException {
        List<Map<String, String>> cards = new ArrayList<>();
        for (String line :
                Fixtures.shared("amd/rocm-smi-text/mi300x-x4.showall.txt").split("\n")) {
            String[] parts = line.split("\t\t: ", 2);
            int colon = parts.length < 2 ? -1 : parts[1].indexOf(": ");
            if (line.startsWith("GPU[") && colon > 0) {
                int index = line.charAt(4) - '0';
                while (cards.size() <= index) {
                    cards.add(new HashMap<>());
                }
                cards.get(index).putIfAbsent(parts[1].substring(0, colon), parts[1].substring(colon + 2));
            } else if (line.startsWith("Driver version:")) {
                assertThat(line).isEqualTo("Driver version: 6.7.0");
            }
        }

        assertThat(cards).hasSize(4);
        List<AcceleratorProfile> gpus = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            gpus.add(RocmSmiFacts.find(i, cards.get(i), TOOL).orElseThrow());
            assertThat(cards.get(i).getOrDefault("Card SKU", "").strip()).isEqualTo("MI3SRIOV");
        }
        assertThat(gpus)
                .extracting(
                        gpu -> fact(gpu, DeviceFact.PCI_ADDRESS).orElseThrow().toString())
                .containsExactly("0000:26:00.0", "0000:46:00.0", "0000:65:00.0", "0000:85:00.0");
        assertThat(gpus).allSatisfy(gpu -> {
            assertThat(gpu.deviceName().find()).contains("AMD Instinct MI300X OAM");
            assertThat(fact(gpu, DeviceFact.PCI_ID)).contains("1002:74a1");
            assertThat(fact(gpu, DeviceFact.PARTITIONING)).contains("none");
            assertThat(gpu.memory().isKnown()).isFalse();
        });
        assertThat(fact(gpus.getFirst(), DeviceFact.UUID)).contains("GPU-8d1457e2c20f59d2");
    }

    /// The probe never asks for this table, which cuts names short; its cells read as those of the full answer do.
    @Test
    void readsTheCellsOfTheConciseTable() throws IOException {
        List<String[]> rows = new ArrayList<>();
        int names = 0;
        for (String line :
                Fixtures.shared("amd/rocm-smi-text/mi300x-x4.concise.txt").split("\n")) {
            if (!line.isEmpty() && Character.isDigit(line.charAt(0))) {
                rows.add(line.split(" {2,}"));
            }
            names += line.strip().equals("AMD Instinct MI300X") ? 1 : 0;
        }

        assertThat(names).isEqualTo(4);
        assertThat(rows).extracting(row -> row[1]).containsOnly("[0x74a1 : 0x00]");
        assertThat(rows)
                .extracting(row -> AmdText.degrees(row[2]).orElseThrow().degrees())
                .containsExactly(35.0, 37.0, 34.0, 38.0);
        assertThat(rows)
                .extracting(row -> AmdText.watts(row[3]).orElseThrow().value())
                .containsExactly(133.0, 131.0, 131.0, 137.0);
        assertThat(rows).extracting(row -> row[4]).containsOnly("NPS1, SPX");
        assertThat(rows).allSatisfy(row -> assertThat(row).contains("750.0W"));
    }

    @Test
    void readsTheLinksOfEveryPair() throws IOException {
        LinkMatrix types = LinkMatrix.parse(
                Fixtures.shared("amd/rocm-smi-text/xgmi-x8.showtopotype.txt"), "Link Type between two GPUs");

        assertThat(types.size()).isEqualTo(8);
        for (int i = 0; i < 8; i++) {
            for (int j = 0; j < 8; j++) {
                assertThat(types.cell(i, j)).isEqualTo(i == j ? "0" : "XGMI");
            }
        }
    }

    @Test
    void findsATableAmongOthers() {
        String text = """
                ==== Weight between two GPUs ====
                       GPU0 GPU1
                GPU0   0    15
                GPU1   15   0

                ==== Link Type between two GPUs ====
                       GPU0 GPU1
                GPU0   0    PCIE
                GPU1   PCIE 0
                === End ===
                """;

        assertThat(LinkMatrix.parse(text, "link type").cell(0, 1)).isEqualTo("PCIE");
        assertThat(LinkMatrix.parse(text, "hops")).isEqualTo(LinkMatrix.EMPTY);
        assertThat(LinkMatrix.parse("link type\n a b\na 0\n", "link type")).isEqualTo(LinkMatrix.EMPTY);
    }

    @Test
    void readsTablesThatAreKeyedByAddress() throws IOException {
        String text = Fixtures.shared("amd/amd-smi/x8.topology-cndz.txt");

        for (String title : List.of("CACHE COHERANCY", "ATOMICS", "DMA", "BI-DIRECTIONAL")) {
            LinkMatrix table = LinkMatrix.parse(text, title + " TABLE");
            assertThat(table.size()).isEqualTo(8);
            assertThat(table.labels()).startsWith("0000:0c:00.0").endsWith("0000:df:00.0");
            assertThat(table.cell(3, 3)).isEqualTo("SELF");
        }
        assertThat(LinkMatrix.parse(text, "ATOMICS TABLE").cell(0, 1)).isEqualTo("64,32");
    }

    @Test
    void readsXgmiPorts() throws IOException {
        List<XgmiPort> ports = XgmiPort.parse(Fixtures.shared("amd/amd-smi/x8.xgmi.txt"));

        assertThat(ports).hasSize(8).allSatisfy(port -> {
            // 512 Gb/s
            assertThat(port.linkRate()).isEqualTo(new Bandwidth(64));
        });
        assertThat(ports.getFirst().address()).isEqualTo(new PciAddress(0, 0x0c, 0, 0));
        assertThat(XgmiPort.parse("GPU0 0000:0c:00.0 N/A N/A XGMI\nGPU1 x y z a b c"))
                .isEmpty();
    }

    @Test
    void readsAmdSmiForPeople() throws IOException {
        List<AmdSmiGpu> list = AmdSmiText.parse(Fixtures.shared("amd/amd-smi/list.txt"));
        assertThat(list).hasSize(2);
        assertThat(fact(AmdSmiFacts.profile(list.getLast(), TOOL), DeviceFact.PCI_ADDRESS))
                .contains(new PciAddress(0, 0x26, 0, 0));
        assertThat(list.getFirst().values())
                .containsEntry("kfd_id", "45412")
                .containsEntry("node_id", "1")
                .containsEntry("partition_id", "0");

        AcceleratorProfile asic = AmdSmiFacts.profile(
                AmdSmiText.parse(Fixtures.shared("amd/amd-smi/mi308x.static-asic.txt"))
                        .getFirst(),
                TOOL);
        assertThat(asic.deviceName().find()).contains("MI308X");
        assertThat(fact(asic, DeviceFact.PCI_ID)).contains("1002:74a2");
        assertThat(fact(asic, DeviceFact.COMPUTE_CAPABILITY)).contains("gfx942");
        assertThat(fact(asic, DeviceFact.COMPUTE_UNITS)).contains(20L);
        assertThat(asic.reading(DeviceFact.UUID).isKnown()).isFalse();

        AcceleratorProfile partition = AmdSmiFacts.profile(
                AmdSmiText.parse(Fixtures.shared("amd/amd-smi/mi308x.static-partition.txt"))
                        .getFirst(),
                TOOL);
        assertThat(fact(partition, DeviceFact.PARTITIONING)).contains("CPX/NPS4");

        List<AmdSmiGpu> metric = AmdSmiText.parse(Fixtures.shared("amd/amd-smi/metric-pcie.txt"));
        assertThat(metric).hasSize(2).allSatisfy(gpu -> {
            assertThat(fact(AmdSmiFacts.profile(gpu, TOOL), DeviceFact.PCIE_WIDTH))
                    .contains(16L);
            assertThat(fact(AmdSmiFacts.profile(gpu, TOOL), DeviceFact.PCIE_GENERATION))
                    .contains(5L);
        });
    }

    @Test
    void readsTheVersionOfRocm() throws IOException {
        String text = Fixtures.shared("amd/amd-smi/version-23.4.2.txt");

        assertThat(AmdText.rocmVersion(text)).contains("6.1.0");
        assertThat(text).contains("AMDSMI Tool: 23.4.2+505b858", "Library version: 24.2.0.0");
        assertThat(AmdText.rocmVersion("ROCm version: N/A")).isEmpty();
    }

    @Test
    void readsAmdSmiJsonOfOlderAndNewerReleases() throws IOException {
        for (String name : List.of("mi300x__rocm6__synthetic.json", "mi300x__rocm7__synthetic.json")) {
            List<AmdSmiGpu> gpus = AmdSmiGpu.parse(Fixtures.own("amd/amd-smi/" + name));

            assertThat(gpus).hasSize(1);
            AcceleratorProfile gpu = AmdSmiFacts.profile(gpus.getFirst(), TOOL);
            assertThat(gpu.deviceName().find()).contains("AMD Instinct MI300X");
            assertThat(gpu.memory().find()).contains(Bytes.ofMib(196_592));
            assertThat(fact(gpu, DeviceFact.MEMORY_TYPE)).contains("HBM3");
            assertThat(fact(gpu, DeviceFact.PCI_ADDRESS)).contains(new PciAddress(0, 5, 0, 0));
            assertThat(fact(gpu, DeviceFact.UUID)).contains("GPU-00ab34cd56ef7890");
            assertThat(fact(gpu, DeviceFact.POWER_LIMIT)).contains(new Watts(750));
            assertThat(fact(gpu, DeviceFact.PCIE_GENERATION_MAX)).contains(5L);
            assertThat(gpu.reading(DeviceFact.NUMA_NODE).isKnown()).isFalse();
        }
    }

    @Test
    void readsRocminfo() throws IOException {
        List<AcceleratorProfile> gpus =
                RocminfoParser.parse(Fixtures.shared("amd/rocminfo/mi300x-x4.rocminfo.txt"), TOOL);

        assertThat(gpus).hasSize(4).allSatisfy(gpu -> {
            assertThat(fact(gpu, DeviceFact.COMPUTE_CAPABILITY)).contains("gfx942");
            assertThat(fact(gpu, DeviceFact.COMPUTE_UNITS)).contains(304L);
            assertThat(gpu.memory().find()).contains(Bytes.ofKib(201_310_208));
            assertThat(gpu.deviceName().find()).contains("AMD Instinct MI300X");
            assertThat(fact(gpu, DeviceFact.PCI_ID)).contains("1002:74a1");
        });
        assertThat(fact(gpus.get(1), DeviceFact.UUID)).contains("GPU-b4fa34630e85d42a");
    }

    @Test
    void countsNoProcessorAsAGpu() {
        String text = """
                Agent 1
                  Uuid: CPU-XX
                  Vendor Name: CPU
                  Device Type: CPU
                Agent 2
                  Name: gfx90a
                  Uuid: GPU-XX
                  Vendor Name: AMD
                  Device Type: GPU
                  BDFID: 17920
                  Domain: 1
                """;

        List<AcceleratorProfile> gpus = RocminfoParser.parse(text, TOOL);

        assertThat(gpus).hasSize(1);
        assertThat(fact(gpus.getFirst(), DeviceFact.PCI_ADDRESS)).contains(new PciAddress(1, 0x46, 0, 0));
        assertThat(gpus.getFirst().reading(DeviceFact.UUID).isKnown()).isFalse();
        assertThat(gpus.getFirst().memory().isKnown()).isFalse();
    }

    @Test
    void pitfall17_theMemoryThatAnApuTellsIsTheHosts() {
        AcceleratorProfile gpu = RocminfoParser.parse("""
                        Agent 2
                          Name: gfx1151
                          Vendor Name: AMD
                          Device Type: GPU
                          Memory Properties: APU
                          Pool Info:
                            Pool 1
                              Size: 65011712(0x3e00000) KB
                        """, TOOL).getFirst();

        assertThat(gpu.memory().isKnown()).isFalse();
        assertThat(fact(gpu, DeviceFact.MEMORY_SHARED)).contains(Bytes.ofKib(65_011_712));
    }

    @Test
    void saysWhereJunkIsNoJson() {
        assertThatThrownBy(() -> AmdSmiGpu.parse("ERROR: no driver")).isInstanceOf(DocumentException.class);
        assertThatThrownBy(() -> RocmSmiFacts.parse("", TOOL)).isInstanceOf(DocumentException.class);
        assertThat(AmdSmiGpu.parse("{\"gpu\": -1}")).isEmpty();
        assertThat(AmdSmiGpu.parse("[1, null, {\"gpu\": 99999999999999999999}]"))
                .isEmpty();
        assertThat(RocmSmiFacts.parse("[]", TOOL)).isEmpty();
        assertThat(RocmSmiFacts.parse("{\"card\": {}, \"card99999\": 1, \"card0\": 3}", TOOL))
                .isEmpty();
    }

    @Test
    void takesNoClockForOneThatIsNone() {
        assertThat(AmdText.activeClock("0: 300Mhz\n1: 1750Mhz *\n")).contains(Hertz.ofMegahertz(1750));
        assertThat(AmdText.fastestClock("S: 19Mhz *\n0: 2100Mhz\n1: 500Mhz\n")).contains(Hertz.ofMegahertz(2100));
        assertThat(AmdText.activeClock("0: 2.5GT/s, x8 *\n")).isEmpty();
        assertThat(AmdText.fastestClock("junk\n: Mhz\n0: 0Mhz *\n")).isEmpty();
    }
}
