// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import dev.muster.core.Interconnect;
import dev.muster.core.Link;
import dev.muster.core.LinkKind;
import dev.muster.core.NodeId;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.TopologyNode;
import dev.muster.core.json.DocumentException;
import dev.muster.core.json.RegistryDocument;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WhatIfSyntheticTest {
    private static final DeviceCatalogue CATALOGUE = DeviceCatalogue.builtIn();

    @Test
    void eightGpusBehindASwitchLookAsDetectionShowsThem() {
        AcceleratorRegistry registry = parse("h100-sxm:8 nvswitch");

        assertThat(registry.profiles()).hasSize(9);
        assertThat(interconnects(registry))
                .hasSize(9)
                .startsWith("NVLINK cuda:0 450.0 18 links")
                .endsWith("NVSWITCH NVSwitch (8 GPUs) 450.0 NV18");
        assertThat(word(registry, "cuda:0", "cuda:7")).isEqualTo("NV18");
        assertThat(registry.topology().domains())
                .hasSize(1)
                .first()
                .satisfies(domain -> assertThat(domain).hasSize(8));
    }

    @ParameterizedTest
    @ValueSource(strings = {"m3-max", "m3-max:64GiB", "m3-max:96GiB", "m2-ultra", "m2-ultra:64GiB", "m4-max:36GiB"})
    void aChipThatIsMadeUpIsKnownWhateverItsMemory(String text) {
        AcceleratorProfile device = parse(text).profiles().getLast();
        assertThat(CATALOGUE.match(device))
                .map(DeviceEntry::name)
                .isEqualTo(device.deviceName().find());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            h100-sxm:8        | NVLINK | 8  | 18 | 450
            h100-sxm:4        | NVLINK | 6  | 6  | 150
            a100-sxm4-80:4    | NVLINK | 6  | 4  | 100
            h100-sxm:16       | NVLINK | 16 | 18 | 450
            v100-sxm2-32:4    | NVLINK | 6  | 2  | 50
            b200-sxm:8        | NVLINK | 8  | 18 | 900
            a100-pcie-80:4    | NVLINK | 2  | 12 | 300
            rtx-3090:2 nvlink | NVLINK | 1  | 4  | 56.25
            gh200-96:2 nvlink | NVLINK | 1  | 18 | 450
            mi300x:8          | XGMI   | 28 | 1  | 64
            mi300x:4 xgmi     | XGMI   | 6  | 1  | 64
            gaudi2:2          | ACCELERATOR_ETHERNET | 1 | 1 | 42.857142857142854
            tpu-v5e:256 ici   | ICI    | 256 | 1 | 200
            """)
    void linksFollowFromTheDataSheet(String text, LinkKind kind, int count, int lanes, double rate) {
        List<Link> fabric = parse(text).topology().links().stream()
                .filter(link -> link.kind().isDeviceFabric())
                .toList();

        assertThat(fabric).hasSize(count).allSatisfy(link -> {
            assertThat(link.kind()).isEqualTo(kind);
            assertThat(link.lanes()).isEqualTo(lanes);
            assertThat(link.bandwidth()).isInstanceOfSatisfying(Reading.Known.class, known -> {
                assertThat(known.value()).isEqualTo(new Bandwidth(rate));
                assertThat(known.provenance().method()).isEqualTo(Provenance.Method.CATALOGUE);
            });
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"l4:4", "h100-sxm:8 pcie", "gh200-96:2", "h100-sxm", "m1-8c"})
    void devicesWithoutAFabricHaveNoLinksOfOne(String text) {
        AcceleratorRegistry registry = parse(text);

        assertThat(registry.topology().links()).noneMatch(link -> link.kind().isDeviceFabric());
        assertThat(registry.systemIo().interconnects()).isEmpty();
        assertThat(registry.profiles())
                .noneMatch(device -> device.reading(DeviceFact.FABRIC_BANDWIDTH).isKnown());
    }

    @Test
    void hostsStandBesideEachOtherAndShareTheNetwork() {
        AcceleratorRegistry registry = parse("2x[h100-sxm:8 numa:2 cpu:1TiB ib:8x400] [l4:2 roce:1x100]");

        assertThat(registry.profiles())
                .extracting(profile -> profile.id().text())
                .hasSize(21)
                .contains("cpu:0", "cpu:1", "cpu:2", "cuda:0", "cuda:17")
                .doesNotHaveDuplicates();
        assertThat(word(registry, "cuda:0", "cuda:8")).isEqualTo("NET");
        assertThat(word(registry, "cuda:0", "cuda:7")).isEqualTo("NV18");
        assertThat(word(registry, "cuda:0", "cuda:16")).as("another network").isEqualTo("?");
        assertThat(interconnects(registry))
                .contains("INFINIBAND ib0 50.0 ?", "INFINIBAND ib15 50.0 ?", "ROCE_V2 roce0 12.5 ?");
        assertThat(registry.topology().nodes())
                .filteredOn(TopologyNode.HostNode.class::isInstance)
                .extracting(TopologyNode::id)
                .containsExactly(new NodeId("host:0"), new NodeId("host:1"), new NodeId("host:2"));
    }

    @Test
    void whatSomebodySaidIsGivenAndTheRestIsNotKnown() {
        AcceleratorRegistry registry = parse("l4:4 numa:2 cpu:1TiB");

        assertThat(registry.profiles().getFirst().memory())
                .isEqualTo(Reading.known(Bytes.ofGib(1024), Provenance.GIVEN));
        assertThat(registry.profiles().subList(1, 5))
                .extracting(profile -> profile.reading(DeviceFact.NUMA_NODE))
                .containsExactly(given(0), given(0), given(1), given(1));
        AcceleratorProfile silent = parse("l4").profiles().getFirst();
        assertThat(silent.memory().isKnown()).isFalse();
    }

    private static Reading<Long> given(long number) {
        return Reading.known(number, Provenance.GIVEN);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "h100-sxm:8 nvswitch",
                "[h100-sxm:8 nvswitch]",
                "1x[h100-sxm:8,nvswitch]",
                " [ H100-SXM:8 , NVSwitch ] ",
                "\t[nvswitch h100-sxm:8]\n"
            })
    void oneHostCanBeWrittenInSeveralWays(String text) {
        assertThat(parse(text)).isEqualTo(parse("h100-sxm:8 nvswitch"));
    }

    @Test
    void aMadeUpRegistryCanBeSavedAndRead() throws DocumentException {
        AcceleratorRegistry registry = parse("2x[h100-sxm:8 numa:2 cpu:1TiB ib:8x400] [mi300x:8] [trn2:2 max-1550:2]");

        byte[] document = RegistryDocument.write(registry).getBytes(StandardCharsets.UTF_8);

        assertThat(RegistryDocument.read(document).profiles()).isEqualTo(registry.profiles());
        assertThat(RegistryDocument.read(document).topology()).isEqualTo(registry.topology());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            ""                   | 1  | this host is empty; write a device, as in h100-sxm:8
            []                   | 2  | this host is empty; write a device, as in h100-sxm:8
            [l4:2] [ ]           | 9  | this host is empty; write a device, as in h100-sxm:8
            2x[l4:8              | 3  | this bracket is not closed; write ] behind the host
            [l4 [l4]]            | 5  | a host inside a host; close the first with ]
            [l4]]                | 5  | a [ should stand here; write hosts as in 2x[h100-sxm:8 nvswitch]
            l4]                  | 1  | 'l4' stands outside the brackets; write hosts as in 2x[h100-sxm:8 nvswitch]
            2x [l4]              | 1  | '2x' stands outside the brackets; write hosts as in 2x[h100-sxm:8 nvswitch]
            [l4] l4              | 6  | 'l4' stands outside the brackets; write hosts as in 2x[h100-sxm:8 nvswitch]
            0x[l4]               | 1  | the count of hosts is a number from 1 to 512, not '0'
            x[l4]                | 1  | the count of hosts is a number from 1 to 512, not ''
            999x[l4]             | 1  | the count of hosts is a number from 1 to 512, not '999'
            300x[l4] 300x[l4]    | 18 | these are more than 512 hosts or 4096 devices; describe fewer
            500x[l4:9]           | 11 | these are more than 512 hosts or 4096 devices; describe fewer
            2x[h1O0-sxm:8]        | 4  | unknown device 'h1O0-sxm'; did you mean h100-sxm?
            2x[l4:none]          | 7  | the count of l4 is a number from 1 to 1024, not 'none'
            l4 numa:0            | 9  | the count of NUMA nodes is a number from 1 to 64, not '0'
            l4 cpu:lots          | 8  | 'lots' is not a memory size; write a number with KiB, MiB, GiB or TiB, as in 80GiB
            l4 ib:8              | 7  | network cards are COUNTxRATE with the rate in Gb/s, as in ib:8x400, not '8'
            l4 ib:8xfast         | 9  | the rate of a card in Gb/s is a number from 1 to 100000, not 'fast'
            l4 roce:65x100       | 9  | the count of cards is a number from 1 to 64, not '65'
            l4:4 l4:4            | 6  | this host already has such an item as 'l4:4'; write it once
            l4 numa:2 numa:2     | 11 | this host already has such an item as 'numa:2'; write it once
            l4:4 nvlink          | 6  | no device of this host has NVLink; leave 'nvlink' out
            a100-pcie-80 nvswitch| 14 | no device of this host has NVSwitch; leave 'nvswitch' out
            """)
    void whatDescribesNoHostsIsRefusedWithItsPlace(String text, int position, String sentence) {
        assertThatThrownBy(() -> parse(text))
                .isInstanceOfSatisfying(
                        DeviceTextException.class, e -> assertThat(e.position()).isEqualTo(position))
                .hasMessage("character " + position + ": " + sentence);
    }

    private static AcceleratorRegistry parse(String text) {
        return WhatIf.synthetic(text, CATALOGUE);
    }

    private static List<String> interconnects(AcceleratorRegistry registry) {
        return registry.systemIo().interconnects().stream()
                .map(WhatIfSyntheticTest::describe)
                .toList();
    }

    private static String describe(Interconnect item) {
        return item.kind() + " " + item.name() + " "
                + item.bandwidth().find().orElseThrow().gigabytesPerSecond() + " "
                + item.state().find().orElse("?");
    }

    private static String word(AcceleratorRegistry registry, String from, String to) {
        return registry.topology()
                .relation(new NodeId("device:" + from), new NodeId("device:" + to))
                .word();
    }

    @Test
    void aSizeIsTheMemoryOfDeviceAndProcessorWhereTheyShareIt() {
        AcceleratorRegistry laptop = WhatIf.synthetic("m3-max-40c:64GiB", CATALOGUE);
        assertThat(laptop.profiles())
                .allSatisfy(device ->
                        assertThat(device.memory()).isEqualTo(Reading.known(Bytes.ofGib(64), Provenance.GIVEN)));
        assertThat(laptop.profiles()).hasSize(2);
    }
}
