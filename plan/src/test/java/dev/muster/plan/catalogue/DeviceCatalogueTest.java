// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import dev.muster.core.Provenance;
import dev.muster.core.QuantizationLevel;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.OperationRate;
import dev.muster.core.unit.Watts;
import dev.muster.model.CatalogueException;
import dev.muster.model.table.CsvTable;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceCatalogueTest {
    private static final DeviceCatalogue BUILT_IN = DeviceCatalogue.builtIn();
    private static final String HEAD = "device_id,vendor,name,class,memory_gb,memory_type,mem_bw_gbs,source";

    @Test
    void everyRowIsPlausible() {
        assertThat(BUILT_IN.ids()).hasSizeGreaterThanOrEqualTo(260).doesNotHaveDuplicates();
        assertThat(BUILT_IN.entries()).allSatisfy(entry -> {
            assertThat(entry.peaks()).as(entry.id()).isNotEmpty();
            assertThat(entry.launchYear().find().orElseThrow()).isBetween(2016L, 2027L);
            assertThat(entry.memory().usable())
                    .isLessThanOrEqualTo(entry.memory().total());
            assertThat(entry.memory().usable().toDouble())
                    .isCloseTo(
                            entry.memory().gigabytes() * 1e9,
                            within(entry.memory().total().toDouble() * 0.08));
            assertThat(entry.origin().source()).isNotBlank();
            assertThat(BUILT_IN.find(entry.id())).hasValue(entry);
        });
    }

    @Test
    void everyRowHasASourceAndTheDateItWasRead() {
        CsvTable table = CsvTable.parse(CsvTable.resource(DeviceCatalogue.class, "devices.csv"));
        assertThat(table.rows()).hasSizeGreaterThanOrEqualTo(260).allSatisfy(row -> {
            assertThat(row.require("source")).isNotBlank();
            assertThat(row.require("read_on")).matches("20[0-9]{2}-[0-9]{2}-[0-9]{2}");
            assertThat(row.require("memory_gb")).isNotBlank();
            assertThat(row.require("mem_bw_gbs")).isNotBlank();
        });
    }

    @Test
    void laptopsAreDevicesOfTheirOwn() {
        DeviceEntry laptop = BUILT_IN.find("rtx-4090-laptop").orElseThrow();
        AcceleratorProfile seen = AcceleratorProfile.cuda(0, Bytes.ofMib(16_376)).toBuilder()
                .with(DeviceFact.DEVICE_NAME, Reading.known("NVIDIA GeForce RTX 4090 Laptop GPU", Provenance.GIVEN))
                .build();

        assertThat(BUILT_IN.match(seen)).hasValue(laptop);
        assertThat(laptop.memory().bandwidth().gigabytesPerSecond())
                .isLessThan(BUILT_IN.find("rtx-4090")
                        .orElseThrow()
                        .memory()
                        .bandwidth()
                        .gigabytesPerSecond());
    }

    @Test
    void everyRowCanBePlannedForUnlessNoProbeKnowsIt() {
        Set<String> unknown = new HashSet<>();
        for (DeviceEntry entry : BUILT_IN.entries()) {
            if (entry.findKind().isEmpty()) {
                unknown.add(entry.vendor());
            } else {
                AcceleratorProfile profile = entry.toProfile(3);
                assertThat(profile.accelerator().deviceId()).isEqualTo(3);
                assertThat(profile.accelerator().kind())
                        .isEqualTo(entry.findKind().orElseThrow());
                assertThat(profile.memoryBandwidth().isKnown()).isTrue();
            }
        }
        assertThat(unknown).containsExactlyInAnyOrder("sambanova", "microsoft", "meta");
        assertThatThrownBy(() -> BUILT_IN.find("mtia-v2").orElseThrow().toProfile(0))
                .isInstanceOf(CatalogueException.class)
                .hasMessageContaining("nothing can be planned for 'mtia-v2'");
    }

    @Test
    void devicesThatShareAPciIdDifferInMemoryOrName() {
        Map<String, String> seen = new HashMap<>();
        for (DeviceEntry entry : BUILT_IN.entries()) {
            for (String pciId : entry.signature().pciIds()) {
                String other = seen.put(pciId + entry.memory().gigabytes() + DeviceNames.key(entry.name()), entry.id());
                assertThat(other).as(entry.id()).isNull();
            }
        }
    }

    @Test
    void knowsAnH100() {
        DeviceEntry entry = BUILT_IN.find("H100-SXM").orElseThrow();
        assertThat(entry.peak(Precision.BF16).find()).hasValue(new OperationRate(989.4));
        assertThat(entry.peak(Precision.FP4).isKnown()).isFalse();
        assertThat(entry.memory().total()).isEqualTo(Bytes.ofGib(80));
        assertThat(entry.memory().usable()).isLessThan(Bytes.ofMib(81559)).isGreaterThan(Bytes.ofGib(78));
        assertThat(entry.link().isFabric()).isTrue();
        assertThat(entry.link().oneWay().find()).hasValue(new Bandwidth(450));
        assertThat(entry.signature().pciIds()).contains("10de:2330");
        assertThat(BUILT_IN.listByPciId("10DE:2330")).containsExactly(entry);
        assertThat(BUILT_IN.listByPciId("1002:744c"))
                .extracting(DeviceEntry::id)
                .containsExactly("rx-7900-xt", "rx-7900-xtx", "rx-7900-gre");
        assertThat(BUILT_IN.find("h100-plus")).isEmpty();
    }

    @Test
    void errorCorrectionTakesAPartOfGraphicsMemory() {
        // What nvidia-smi shows of an L40S and of a V100.
        assertThat(BUILT_IN.find("l40s").orElseThrow().memory().usable()).isLessThanOrEqualTo(Bytes.ofMib(46068));
        assertThat(BUILT_IN.find("v100-sxm2-16").orElseThrow().memory().usable())
                .isLessThanOrEqualTo(Bytes.ofMib(16160));
        assertThat(BUILT_IN.find("h200-sxm").orElseThrow().memory().usable()).isLessThanOrEqualTo(Bytes.ofMib(143771));
    }

    @Test
    void aWhatIfDeviceSaysThatItIsFromTheCatalogue() {
        AcceleratorProfile profile = BUILT_IN.find("h100-sxm").orElseThrow().toProfile(1);
        assertThat(profile.accelerator().kind()).isEqualTo(AcceleratorKind.CUDA_GPU);
        assertThat(profile.memory())
                .isInstanceOfSatisfying(
                        Reading.Known.class,
                        known -> assertThat(known.provenance())
                                .isEqualTo(Provenance.of(
                                        "device catalogue, h100-sxm: NVIDIA data sheet / whitepaper; PCI ids from pci.ids",
                                        Provenance.Method.CATALOGUE,
                                        Provenance.Confidence.STATED)));
        assertThat(profile.reading(DeviceFact.POWER_LIMIT).find()).hasValue(new Watts(700));
        assertThat(BUILT_IN.match(profile)).map(DeviceEntry::id).hasValue("h100-sxm");
    }

    @Test
    void secondHandFiguresAreAssumed() {
        assertThat(BUILT_IN.find("wse3").orElseThrow().provenance().confidence())
                .isEqualTo(Provenance.Confidence.ASSUMED);
    }

    @Test
    void brainFloatNeedsHardwareThatHasIt() {
        assertThat(BUILT_IN.find("t4").orElseThrow().supports(QuantizationLevel.FLOAT16))
                .isTrue();
        assertThat(BUILT_IN.find("t4").orElseThrow().supports(QuantizationLevel.BFLOAT16))
                .isFalse();
        assertThat(BUILT_IN.find("tpu-v5e").orElseThrow().supports(QuantizationLevel.BFLOAT16))
                .isTrue();
        assertThat(BUILT_IN.find("tpu-v5e").orElseThrow().supports(QuantizationLevel.FLOAT16))
                .isFalse();
        assertThat(BUILT_IN.find("trn1").orElseThrow().supports(QuantizationLevel.INT4))
                .isFalse();
    }

    @Test
    void aUsersTableAddsAndOverrides() {
        DeviceCatalogue own = DeviceCatalogue.parse(HEAD + "\n"
                + "h100-sxm,nvidia,My H100,datacenter,94,HBM3,3000,own measurement\n"
                + "secret-1,nvidia,Secret One,datacenter,500,HBM4,9000,own measurement\n");
        DeviceCatalogue both = BUILT_IN.with(own);
        assertThat(both.ids()).hasSize(BUILT_IN.ids().size() + 1).contains("secret-1");
        assertThat(both.find("h100-sxm").orElseThrow().name()).isEqualTo("My H100");
        assertThat(BUILT_IN.find("secret-1")).isEmpty();
    }

    @Test
    void saysWhatIsWrongWithAUsersTable() {
        assertThatThrownBy(() -> DeviceCatalogue.parse(HEAD + "\nA B,nvidia,x,datacenter,1,HBM,1,s\n"))
                .hasMessageContaining("line 2: device_id 'A B' is not possible");
        assertThatThrownBy(() -> DeviceCatalogue.parse(HEAD + "\na,nvidia,x,huge,1,HBM,1,s\n"))
                .hasMessageContaining("column 'class' is 'huge'; known: datacenter, workstation");
        assertThatThrownBy(() -> DeviceCatalogue.parse(HEAD + "\na,nvidia,x,edge,0,HBM,1,s\n"))
                .hasMessageContaining("column 'memory_gb' is 0");
        assertThatThrownBy(
                        () -> DeviceCatalogue.parse(HEAD + "\na,nvidia,x,edge,1,HBM,1,s\na,nvidia,y,edge,1,HBM,1,s\n"))
                .hasMessageContaining("device 'a' occurs twice");
        assertThatThrownBy(() -> DeviceCatalogue.parse(HEAD + ",pci_ids\na,nvidia,x,edge,1,HBM,1,s,2330\n"))
                .hasMessageContaining("'2330' is not a PCI id");
    }

    /// The names that people type, from chats, cloud consoles and shops.
    @ParameterizedTest
    @CsvSource({
        "a100, a100-sxm4-80",
        "A100-40GB, a100-sxm4-40",
        "h100, h100-sxm",
        "H100SXM, h100-sxm",
        "NVIDIA-H100-80GB-HBM3, h100-sxm",
        "h200, h200-sxm",
        "b200, b200-sxm",
        "gh200, gh200-96",
        "4090, rtx-4090",
        "rtx4090, rtx-4090",
        "4070-ti, rtx-4070-ti",
        "3080, rtx-3080",
        "6000-ada, rtx-6000-ada",
        "dgx-spark, gb10",
        "orin-nano, jetson-orin-nano-8",
        "mi300, mi300x",
        "7900xtx, rx-7900-xtx",
        "strix-halo, strix-halo",
        "v5e, tpu-v5e",
        "trillium, tpu-v6e",
        "trainium2, trn2",
        "m5, m5-10c",
        "m4-max, m4-max-40c",
        "gaudi-3, gaudi3"
    })
    void aDeviceIsFoundByTheNamePeopleType(String typed, String id) {
        assertThat(BUILT_IN.find(typed)).map(DeviceEntry::id).contains(id);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-", "rtx", "4060-ti", "6000", "16", "gpu", "nvidia"})
    void aNameThatMayMeanSeveralDevicesMeansNone(String typed) {
        assertThat(BUILT_IN.find(typed)).isEmpty();
    }

    @Test
    void aShortNameBelongsToOneDevice() {
        String columns = "device_id,vendor,name,class,memory_gb,memory_type,mem_bw_gbs,source,short_names\n";
        String twice = columns
                + "one,nvidia,One,datacenter,80,HBM3,3000,us,uno\n"
                + "two,nvidia,Two,datacenter,80,HBM3,3000,us,dos;uno\n";
        assertThatThrownBy(() -> DeviceCatalogue.parse(twice)).hasMessage("short name 'uno' occurs twice; delete one");
    }

    @Test
    void enrichmentFillsGapsAndLeavesFactsAlone() {
        Reading<Bandwidth> measured = Reading.known(new Bandwidth(3000), Provenance.GIVEN);
        AcceleratorProfile known = AcceleratorProfile.cuda(0, Bytes.ofMib(81559)).toBuilder()
                .with(DeviceFact.PCI_ID, Reading.known("10de:2330", Provenance.GIVEN))
                .with(DeviceFact.MEMORY_BANDWIDTH, measured)
                .build();
        AcceleratorProfile strange = AcceleratorProfile.cuda(1, Bytes.ofGib(7));
        AcceleratorRegistry registry = BUILT_IN.enrich(AcceleratorRegistry.of(List.of(known, strange)));
        AcceleratorProfile enriched = registry.profiles().getFirst();
        assertThat(enriched.memory()).isEqualTo(known.memory());
        assertThat(enriched.memoryBandwidth()).isEqualTo(measured);
        assertThat(enriched.reading(DeviceFact.MEMORY_TYPE).find()).hasValue("HBM3");
        assertThat(enriched.reading(DeviceFact.FABRIC_BANDWIDTH).find()).hasValue(new Bandwidth(450));
        assertThat(registry.profiles().getLast()).isEqualTo(strange);
        assertThat(BUILT_IN.enrich(registry)).isEqualTo(registry);
    }
}
