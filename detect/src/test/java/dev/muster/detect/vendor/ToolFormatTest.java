// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.vendor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.PciAddress;
import dev.muster.core.Provenance;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import dev.muster.core.unit.Hertz;
import dev.muster.core.unit.Ratio;
import dev.muster.core.unit.Watts;
import dev.muster.detect.Fixtures;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ToolFormatTest {
    private static final Provenance TOOL =
            Provenance.of("tool", Provenance.Method.COMMAND, Provenance.Confidence.MEASURED);

    @Test
    void pitfall22_twoDiesOfOneCardShareABusId() throws IOException {
        List<AcceleratorProfile> dies = own(ToolFormat.NPU_SMI, "huawei/npu-smi/310p-duo__25.2__synthetic.txt");

        assertThat(dies).hasSize(2);
        assertThat(dies)
                .extracting(die -> die.reading(DeviceFact.PCI_ADDRESS).find())
                .containsOnly(PciAddress.find("0000:01:00.0"));
        AcceleratorProfile first = dies.getFirst();
        assertThat(first.deviceName().find()).contains("Ascend 310P3");
        assertThat(first.memory().find()).contains(Bytes.ofMib(44000));
        assertThat(first.reading(DeviceFact.MEMORY_USED).find()).contains(Bytes.ofMib(1600));
        assertThat(first.reading(DeviceFact.TEMPERATURE).find()).contains(new Celsius(45));
        assertThat(first.reading(DeviceFact.POWER).isKnown()).isFalse();
        assertThat(first.reading(DeviceFact.DRIVER_VERSION).find()).contains("25.2.0");
        assertThat(first.reading(DeviceFact.HEALTH).find()).contains("ok");
        assertThat(dies.get(1).memory().find()).contains(Bytes.ofMib(43500));
    }

    @Test
    void pitfall22_aDashIsUnknownAndThePhysicalIdCounts() throws IOException {
        List<AcceleratorProfile> dies = own(ToolFormat.NPU_SMI, "huawei/npu-smi/a3-910c__25.0__synthetic.txt");

        assertThat(dies).extracting(die -> die.accelerator().deviceId()).containsExactly(0L, 1L, 2L, 3L);
        assertThat(dies).allSatisfy(die -> assertThat(die.memory().find()).contains(Bytes.ofMib(65536)));
        assertThat(dies.get(0).reading(DeviceFact.POWER).find()).contains(new Watts(170.5));
        assertThat(dies.get(1).reading(DeviceFact.POWER).isKnown()).isFalse();
        assertThat(dies.get(3).reading(DeviceFact.HEALTH).find()).contains("Alarm");
        assertThat(dies.get(3).reading(DeviceFact.UTILIZATION).find()).contains(new Ratio(0.25));
    }

    @Test
    void pitfall22_oldTablesHaveNoDeviceColumn() throws IOException {
        List<AcceleratorProfile> dies = own(ToolFormat.NPU_SMI, "huawei/npu-smi/910__21.0__synthetic.txt");

        assertThat(dies).extracting(die -> die.accelerator().deviceId()).containsExactly(0L, 1L);
        assertThat(dies.get(1).memory().find()).contains(Bytes.ofMib(32000));
        assertThat(dies.get(1).deviceName().find()).contains("Ascend 910A");
    }

    @Test
    void pitfall23_numbersAreTextsWithBlanksAndRegistersAreNone() throws IOException {
        List<AcceleratorProfile> chips = own(ToolFormat.TT_SMI, "tenstorrent/tt-smi/n300__2.3.0__synthetic.json");

        assertThat(chips).hasSize(2);
        AcceleratorProfile left = chips.get(0);
        assertThat(left.deviceName().find()).contains("n300 L");
        assertThat(left.reading(DeviceFact.PCI_ADDRESS).find()).isEqualTo(PciAddress.find("0000:01:00.0"));
        assertThat(left.reading(DeviceFact.POWER).find()).contains(new Watts(27));
        assertThat(left.reading(DeviceFact.CLOCK).find()).contains(Hertz.ofMegahertz(500));
        assertThat(left.reading(DeviceFact.CLOCK_MAX).find()).contains(Hertz.ofMegahertz(1000));
        assertThat(left.reading(DeviceFact.TEMPERATURE).find()).contains(new Celsius(45.6));
        assertThat(left.reading(DeviceFact.POWER_LIMIT).find()).contains(new Watts(85));
        assertThat(left.reading(DeviceFact.FIRMWARE_VERSION).find()).contains("80.17.0.0");
        assertThat(left.reading(DeviceFact.DRIVER_VERSION).find()).contains("2.3.0");
    }

    @Test
    void pitfall23_theSecondChipOfABoardHasNoBusId() throws IOException {
        AcceleratorProfile right = own(ToolFormat.TT_SMI, "tenstorrent/tt-smi/n300__2.3.0__synthetic.json")
                .get(1);

        assertThat(right.deviceName().find()).contains("n300 R");
        assertThat(right.reading(DeviceFact.PCI_ADDRESS).isKnown()).isFalse();
        assertThat(right.reading(DeviceFact.POWER).isKnown()).isFalse();
        assertThat(right.reading(DeviceFact.CLOCK).isKnown()).isFalse();
        assertThat(right.reading(DeviceFact.POWER_LIMIT).isKnown()).isFalse();
        assertThat(right.reading(DeviceFact.FIRMWARE_VERSION).isKnown()).isFalse();
    }

    @Test
    void readsFuriosasTableWhateverItsColumns() {
        List<AcceleratorProfile> devices = TextToolParser.furiosaSmi("""
                +------+--------+---------------+---------------+---------+---------+--------------+
                | Arch | Device | Firmware      | PERT          | Temp.   | Power   | PCI-BDF      |
                +------+--------+---------------+---------------+---------+---------+--------------+
                | rngd | npu0   | 2025.1.0+abcd | 2025.1.0+ef01 | 29.81°C | 35.00 W | 0000:30:00.0 |
                +------+--------+---------------+---------------+---------+---------+--------------+
                | rngd | npu1   | 2025.1.0+abcd | 2025.1.0+ef01 | N/A     | N/A     | 0000:31:00.0 |
                +------+--------+---------------+---------------+---------+---------+--------------+
                """, TOOL);

        assertThat(devices).hasSize(2);
        AcceleratorProfile first = devices.getFirst();
        assertThat(first.deviceName().find()).contains("RNGD");
        assertThat(first.reading(DeviceFact.FIRMWARE_VERSION).find()).contains("2025.1.0+abcd");
        assertThat(first.reading(DeviceFact.TEMPERATURE).find()).contains(new Celsius(29.81));
        assertThat(first.reading(DeviceFact.POWER).find()).contains(new Watts(35));
        assertThat(devices.get(1).reading(DeviceFact.PCI_ADDRESS).find()).isEqualTo(PciAddress.find("0000:31:00.0"));
        assertThat(devices.get(1).reading(DeviceFact.POWER).isKnown()).isFalse();
    }

    @Test
    void takesThePowerOfACardOfSeveralDiesOnce() throws IOException {
        List<AcceleratorProfile> dies = own(ToolFormat.RBLN, "rebellions/rbln-smi/ca25__3.0.0__synthetic.json");

        assertThat(dies).hasSize(2);
        AcceleratorProfile first = dies.getFirst();
        assertThat(first.deviceName().find()).contains("RBLN-CA25");
        assertThat(first.reading(DeviceFact.UUID).find()).contains("00000000-0000-4000-8000-000000000001");
        assertThat(first.memory().find()).contains(Bytes.of(17179869184L));
        assertThat(first.reading(DeviceFact.MEMORY_USED).find()).contains(Bytes.of(67108864));
        assertThat(first.reading(DeviceFact.NUMA_NODE).find()).contains(0L);
        assertThat(first.reading(DeviceFact.TEMPERATURE).find()).contains(new Celsius(29));
        assertThat(first.reading(DeviceFact.POWER).find().orElseThrow().value()).isCloseTo(41.2, within(1e-9));
        assertThat(first.reading(DeviceFact.UTILIZATION).find().orElseThrow().value())
                .isCloseTo(0.044, within(1e-9));
        assertThat(first.reading(DeviceFact.HEALTH).find()).contains("ok");
        assertThat(first.reading(DeviceFact.DRIVER_VERSION).find()).contains("3.0.0");
        assertThat(dies.get(1).accelerator().deviceId()).isEqualTo(1);
        assertThat(dies.get(1).reading(DeviceFact.POWER).isKnown()).isFalse();
    }

    @Test
    void readsMooreThreadsJson() {
        AcceleratorProfile gpu = JsonToolParser.mthreads("""
                {"Driver Version": "2.7.0", "GPU": [{"Index": "0", "Product Name": "MTT S4000",
                 "FB Memory Usage": {"Total": "49152MiB", "Used": "4MiB"},
                 "Temperature": {"GPU Current Temp": "45C"}, "Utilization": {"Gpu": "7%"}}]}""", TOOL).getFirst();

        assertThat(gpu.deviceName().find()).contains("MTT S4000");
        assertThat(gpu.memory().find()).contains(Bytes.ofMib(49152));
        assertThat(gpu.reading(DeviceFact.MEMORY_USED).find()).contains(Bytes.ofMib(4));
        assertThat(gpu.reading(DeviceFact.UTILIZATION).find()).contains(new Ratio(0.07));
        assertThat(gpu.reading(DeviceFact.DRIVER_VERSION).find()).contains("2.7.0");
    }

    @Test
    void readsHygonsJsonWithWordsAroundIt() {
        List<AcceleratorProfile> cards = HySmiParser.parse("""
                ====== System Management Interface ======
                {"card0": {"Card Series": "K500SM_AI"}, "card1": {"Card Series": "N/A"}, "system": {}}
                """, TOOL);

        assertThat(cards).hasSize(2);
        assertThat(cards.get(0).deviceName().find()).contains("K500SM_AI");
        assertThat(cards.get(1).deviceName().isKnown()).isFalse();
    }

    @Test
    void readsIluvatarsLines() {
        AcceleratorProfile gpu =
                TextToolParser.queryCsv("""
                index, driver_version, name, memory.total [MiB]
                0, 4.4.0, Iluvatar BI-V150, 32768 MiB
                """, AcceleratorKind.ILUVATAR_GPU, TOOL).getFirst();

        assertThat(gpu.deviceName().find()).contains("Iluvatar BI-V150");
        assertThat(gpu.memory().find()).contains(Bytes.ofMib(32768));
        assertThat(gpu.reading(DeviceFact.DRIVER_VERSION).find()).contains("4.4.0");
    }

    @Test
    void readsCambriconsPhysicalMemory() {
        AcceleratorProfile card = TextToolParser.cnmon("""
                Timestamp : now
                Card 3
                    Product Name         : MLU370-X8
                    Driver Version       : v4.20.18
                    Physical Memory Usage :
                        Total            : 24576 MiB
                        Used             : 12 MiB
                    Virtual Memory Usage :
                        Total            : 1048576 MiB
                        Used             : 99 MiB
                """, TOOL).getFirst();

        assertThat(card.accelerator().deviceId()).isEqualTo(3);
        assertThat(card.deviceName().find()).contains("MLU370-X8");
        assertThat(card.memory().find()).contains(Bytes.ofMib(24576));
        assertThat(card.reading(DeviceFact.MEMORY_USED).find()).contains(Bytes.ofMib(12));
    }

    @Test
    void readsKunlunxinsColumns() {
        AcceleratorProfile device = TextToolParser.kunlun(
                        "0000:1b:00.0 0 a b 43 e f g 88 i j k l m n o p 1024 98304 12 x \"P800 OAM\"\n", TOOL)
                .getFirst();

        assertThat(device.deviceName().find()).contains("P800 OAM");
        assertThat(device.memory().find()).contains(Bytes.ofMib(98304));
        assertThat(device.reading(DeviceFact.POWER).find()).contains(new Watts(88));
    }

    @Test
    void pitfall19_intelsAnswerIsNotKunlunxins() {
        assertThat(TextToolParser.kunlun("""
                The following argument was not expected: -m
                Run with --help for more information.
                +-----------+--------------------------------------------------------------------------------------+
                | Device ID | Device Information                                                                   |
                | 0         | Device Name: Intel(R) Data Center GPU Flex 170, with many more words in it than a device has columns, or so it seems |
                """, TOOL)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(ToolFormat.class)
    void takesNothingFromOtherTexts(ToolFormat format) {
        for (String text : List.of(
                "",
                "command not found",
                "{",
                "{}",
                "[]",
                "{\"devices\": 1, \"GPU\": {}, \"device_info\": [{}]}",
                "|\n||\n|0|1|2|\n| 0 x | 1 | |\n| 0 | | |\n",
                "Card \nCard x\nTotal :",
                "index\n0\n0,\n0,,,\n".repeat(2).substring(1))) {
            assertThat(format.parse(text, AcceleratorKind.GROQ_LPU, TOOL))
                    .as("%s: %s", format, text)
                    .allSatisfy(device -> assertThat(device.memory().isKnown()).isFalse());
        }
    }

    private static List<AcceleratorProfile> own(ToolFormat format, String name) throws IOException {
        return format.parse(Fixtures.own(name), AcceleratorKind.GROQ_LPU, TOOL);
    }
}
