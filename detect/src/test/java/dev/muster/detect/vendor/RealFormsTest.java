// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.vendor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.PciAddress;
import dev.muster.core.ProcessList;
import dev.muster.core.Provenance;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import dev.muster.core.unit.Ratio;
import dev.muster.core.unit.Watts;
import dev.muster.detect.Backend;
import dev.muster.detect.DetectBuilder;
import dev.muster.detect.Fixtures;
import dev.muster.detect.host.HostSketch;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Tools in the forms that they print on real machines.
class RealFormsTest {
    private static final Provenance TOOL =
            Provenance.of("tool", Provenance.Method.COMMAND, Provenance.Confidence.MEASURED);

    @Test
    void numberAndNameOfAnAscend950HaveACellEach() throws IOException {
        List<AcceleratorProfile> npus =
                NpuSmiParser.parse(Fixtures.own("huawei/npu-smi/950pr__25.7__synthetic.txt"), TOOL);

        assertThat(npus).extracting(npu -> npu.accelerator().deviceId()).containsExactly(0L, 1L);
        AcceleratorProfile first = npus.getFirst();
        assertThat(first.deviceName().find()).contains("Ascend950PR");
        assertThat(first.memory().find()).contains(Bytes.ofMib(114688));
        assertThat(first.reading(DeviceFact.MEMORY_USED).find()).contains(Bytes.ofMib(60210));
        assertThat(first.reading(DeviceFact.POWER).find()).contains(new Watts(198.4));
        assertThat(first.reading(DeviceFact.UTILIZATION).find()).contains(new Ratio(0.75));
        assertThat(first.reading(DeviceFact.PCI_ADDRESS).find()).isEqualTo(PciAddress.find("0000:71:00.0"));
        assertThat(npus.get(1).reading(DeviceFact.HEALTH).find()).contains("Alarm");
        assertThat(first.reading(DeviceFact.PROCESSES).find())
                .contains(new ProcessList(List.of(new ProcessList.DeviceProcess(4711, "python3", Bytes.ofMib(57000)))));
        assertThat(npus.get(1).reading(DeviceFact.PROCESSES).find()).contains(new ProcessList(List.of()));
    }

    @Test
    void processesOfNpuSmiAreThoseOfTheirChip() throws IOException {
        String processes = """
                +---------------------------+---------------+----------------------------------------------------+
                | NPU     Chip              | Process id    | Process name             | Process memory(MB)      |
                +===========================+===============+====================================================+
                | 5       1                 | 4711          | python3                  | 30000                   |
                | No running processes found in NPU 1                                                            |
                +===========================+===============+====================================================+
                """;
        List<AcceleratorProfile> dies = NpuSmiParser.parse(
                Fixtures.own("huawei/npu-smi/a3-repeated-ids__25.2__synthetic.txt") + processes, TOOL);

        assertThat(dies.getFirst().reading(DeviceFact.PROCESSES).find()).contains(new ProcessList(List.of()));
        assertThat(dies.get(1)
                        .reading(DeviceFact.PROCESSES)
                        .find()
                        .orElseThrow()
                        .processes())
                .extracting(ProcessList.DeviceProcess::pid)
                .containsExactly(4711L);
    }

    @Test
    void theSecondDieOfAnA3StaysWhereIdsRepeat() throws IOException {
        HostSketch host = new HostSketch()
                .tool("npu-smi info", Fixtures.own("huawei/npu-smi/a3-repeated-ids__25.2__synthetic.txt"));

        assertThat(detect(host, Backend.ASCEND))
                .extracting(die -> die.id().text())
                .containsExactly("ascend:0", "ascend:1");
    }

    @Test
    void mxSmiStatesTheUnitOfMemoryOnce() throws IOException {
        HostSketch host = new HostSketch().tool("mx-smi", Fixtures.own("metax/mx-smi/c550-x2__2.2__synthetic.txt"));

        List<AcceleratorProfile> gpus = detect(host, Backend.METAX);

        assertThat(gpus).extracting(gpu -> gpu.deviceName().find().orElse("")).containsOnly("MetaX C550");
        AcceleratorProfile first = gpus.getFirst();
        assertThat(first.reading(DeviceFact.DRIVER_VERSION).find()).contains("3.0.12");
        assertThat(first.reading(DeviceFact.PCI_ADDRESS).find()).isEqualTo(PciAddress.find("0000:2a:00.0"));
        assertThat(first.memory().find()).contains(Bytes.ofMib(65536));
        assertThat(first.reading(DeviceFact.MEMORY_USED).find()).contains(Bytes.ofMib(860));
        assertThat(first.reading(DeviceFact.TEMPERATURE).find()).contains(new Celsius(31));
        assertThat(first.reading(DeviceFact.POWER).find()).contains(new Watts(71));
        assertThat(first.reading(DeviceFact.POWER_LIMIT).find()).contains(new Watts(450));
        assertThat(first.reading(DeviceFact.UTILIZATION).find()).contains(new Ratio(0.12));
        assertThat(gpus.get(1).reading(DeviceFact.POWER_LIMIT).isKnown()).isFalse();
    }

    @Test
    void efsmiHasTheBusIdBehindTheFirmwareAndADomainOfTwoDigits() throws IOException {
        HostSketch host = new HostSketch().tool("efsmi", Fixtures.own("enflame/efsmi/s60-x2__1.6__synthetic.txt"));

        List<AcceleratorProfile> gcus = detect(host, Backend.ENFLAME);

        assertThat(gcus)
                .extracting(gcu -> gcu.deviceName().find().orElse(""))
                .containsExactly("Enflame S60", "Enflame S60G");
        AcceleratorProfile first = gcus.getFirst();
        assertThat(first.reading(DeviceFact.DRIVER_VERSION).find()).contains("1.6.3.14");
        assertThat(first.reading(DeviceFact.FIRMWARE_VERSION).find()).contains("33.6.4");
        assertThat(first.reading(DeviceFact.PCI_ADDRESS).find()).isEqualTo(PciAddress.find("0000:01:00.0"));
        assertThat(first.memory().find()).contains(Bytes.ofMib(49120));
        assertThat(first.reading(DeviceFact.POWER_LIMIT).find()).contains(new Watts(300));
        assertThat(gcus)
                .extracting(gcu ->
                        gcu.reading(DeviceFact.TEMPERATURE).find().orElseThrow().degrees())
                .containsExactly(39.0, 34.0);
        assertThat(first.reading(DeviceFact.UTILIZATION).find()).contains(new Ratio(0.04));
    }

    @Test
    void mthreadsGmiIsReadByItsTableWhereItKnowsNoJson() throws IOException {
        HostSketch host = new HostSketch()
                .tool("mthreads-gmi -q --json", 1, "", "unknown option")
                .tool("mthreads-gmi", Fixtures.own("moorethreads/mthreads-gmi/s5000-x2__2.3__synthetic.txt"));

        List<AcceleratorProfile> gpus = detect(host, Backend.MOORE_THREADS);

        assertThat(gpus)
                .extracting(gpu -> gpu.deviceName().find().orElse(""))
                .containsExactly("MTT S5000", "MTT S5000");
        AcceleratorProfile first = gpus.getFirst();
        assertThat(first.reading(DeviceFact.DRIVER_VERSION).find()).contains("3.3.6-server");
        assertThat(first.reading(DeviceFact.PCI_ADDRESS).find()).isEqualTo(PciAddress.find("0000:2b:00.0"));
        assertThat(first.memory().find()).contains(Bytes.ofMib(81920));
        assertThat(first.reading(DeviceFact.MEMORY_USED).find()).contains(Bytes.ofMib(60210));
        assertThat(first.reading(DeviceFact.TEMPERATURE).find()).contains(new Celsius(52));
        assertThat(first.reading(DeviceFact.UTILIZATION).find()).contains(new Ratio(0.07));
    }

    @Test
    void ixsmiIsReadByItsTableWhereItKnowsNoQuery() throws IOException {
        HostSketch host = new HostSketch()
                .tool("ixsmi --query-gpu=index,driver_version,name,memory.total *", 2, "", "unknown option")
                .tool("ixsmi", Fixtures.own("iluvatar/ixsmi/bi-v150-x2-table__4.1__synthetic.txt"));

        List<AcceleratorProfile> gpus = detect(host, Backend.ILUVATAR);

        assertThat(gpus)
                .extracting(gpu -> gpu.deviceName().find().orElse(""))
                .containsExactly("Iluvatar BI-V150", "Iluvatar MR-V100 DUO");
        assertThat(gpus).allSatisfy(gpu -> assertThat(gpu.memory().find()).contains(Bytes.ofMib(32768)));
        assertThat(gpus.get(0).reading(DeviceFact.POWER).isKnown()).isFalse();
        assertThat(gpus.get(1).reading(DeviceFact.POWER).find()).contains(new Watts(93));
        assertThat(gpus.get(1).reading(DeviceFact.POWER_LIMIT).find()).contains(new Watts(350));
        assertThat(gpus.get(1).reading(DeviceFact.DRIVER_VERSION).find()).contains("4.1.0");
        assertThat(gpus.get(1).reading(DeviceFact.UTILIZATION).find()).contains(new Ratio(0.25));
    }

    @Test
    void ixsmisQueryMayHaveItsUnitInTheHeaderAndATimeBeforeIt() {
        List<AcceleratorProfile> gpus = TextToolParser.queryCsv("""
                Timestamp    Mon Jan  5 10:00:00 2026
                index, driver_version, name, memory.total [MiB]
                0, 4.1.0, Iluvatar BI-V150, 32768
                """, AcceleratorKind.ILUVATAR_GPU, TOOL);

        assertThat(gpus)
                .singleElement()
                .satisfies(gpu -> assertThat(gpu.memory().find()).contains(Bytes.ofMib(32768)));
    }

    @Test
    void cnmonIsReadByItsTableWhereItKnowsNoList() throws IOException {
        HostSketch host = new HostSketch()
                .tool("cnmon info -m", 1, "", "invalid option")
                .tool("cnmon", Fixtures.own("cambricon/cnmon/mlu370-x8-x2-table__5.10__synthetic.txt"));

        List<AcceleratorProfile> cards = detect(host, Backend.CAMBRICON);

        assertThat(cards).hasSize(2);
        AcceleratorProfile second = cards.get(1);
        assertThat(second.deviceName().find()).contains("MLU370-X8");
        assertThat(second.reading(DeviceFact.FIRMWARE_VERSION).find()).contains("1.1.6");
        assertThat(second.reading(DeviceFact.DRIVER_VERSION).find()).contains("5.10.13");
        assertThat(second.memory().find()).contains(Bytes.ofMib(23374));
        assertThat(second.reading(DeviceFact.MEMORY_USED).find()).contains(Bytes.ofMib(800));
        assertThat(second.reading(DeviceFact.POWER).find()).contains(new Watts(110));
        assertThat(second.reading(DeviceFact.TEMPERATURE).find()).contains(new Celsius(39));
        assertThat(second.reading(DeviceFact.UTILIZATION).find()).contains(new Ratio(0.12));
    }

    @Test
    void hygonsMemoryHasItsUnitInTheKeyAndHcuMeansDcu() throws IOException {
        List<AcceleratorProfile> dcus =
                HySmiParser.parse(Fixtures.own("hygon/hy-smi/k100-x2__dtk24__synthetic.json"), TOOL);

        assertThat(dcus).hasSize(2);
        assertThat(dcus.get(0).memory().find()).contains(Bytes.ofMib(65520));
        assertThat(dcus.get(1).memory().find()).contains(Bytes.of(68702699520L));
        assertThat(dcus.get(1).reading(DeviceFact.UTILIZATION).find()).contains(new Ratio(0.5));
    }

    @Test
    void hygonsRocmSmiIsAskedWhereADcuIsSeen() {
        HostSketch host = new HostSketch()
                .pci("0000:17:00.0", "1D94:6210", "038000", "hydcu")
                .tool("rocm-smi", """
                        ======== System Management Interface ========
                        DCU     Temp     AvgPwr     Perf     PwrCap     VRAM%      DCU%
                        0       45.0C    25.0W      auto     280.0W     0%         3%
                        =========== End of SMI Log ===========
                        """);

        assertThat(detect(host, Backend.HYGON)).singleElement().satisfies(dcu -> {
            assertThat(dcu.reading(DeviceFact.POWER_LIMIT).find()).contains(new Watts(280));
            assertThat(dcu.reading(DeviceFact.TEMPERATURE).find()).contains(new Celsius(45));
            assertThat(dcu.reading(DeviceFact.PCI_ID).find()).contains("1d94:6210");
        });
    }

    @Test
    void amdsRocmSmiMakesNoDcu() {
        assertThat(HySmiParser.parse(
                        "{\"card0\": {\"Card Series\": \"MI100\", \"Card Vendor\": \"Advanced Micro\"},"
                                + "\"card1\": {\"GPU use (%)\": \"0\"}}",
                        TOOL))
                .isEmpty();
        assertThat(HySmiParser.parseTable("GPU  Temp  AvgPwr\n0  45.0C  25.0W\n", TOOL))
                .isEmpty();
    }

    private static List<AcceleratorProfile> detect(HostSketch host, Backend backend) {
        return DetectBuilder.all().build(host.host(), System.getLogger("test")).detect().profiles().stream()
                .filter(device -> backend.kinds().contains(device.accelerator().kind()))
                .toList();
    }
}
