// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceId;
import dev.muster.core.Interconnect;
import dev.muster.core.Link;
import dev.muster.core.LinkKind;
import dev.muster.core.NodeId;
import dev.muster.core.TopologyNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WhatIfTest {
    private static final DeviceCatalogue CATALOGUE = DeviceCatalogue.builtIn();
    private static final int TRIALS = 200;
    private static final List<String> FABRIC_OR_NOT = List.of("", " pcie", " numa:2", " cpu:64GiB", " ib:2x200");

    @Test
    void addedDevicesSitOnTheHostWithoutAFabric() {
        AcceleratorRegistry after = WhatIf.add(hosts("h100-sxm:8 nvswitch"), list("h100-sxm"));

        NodeId added = TopologyNode.DeviceNode.idOf(new DeviceId("cuda:8"));
        assertThat(after.topology().linksOf(added)).containsExactly(Link.of(new NodeId("host"), added, LinkKind.PCIE));
        assertThat(after.topology().relation(added, new NodeId("device:cuda:0")).word())
                .isEqualTo("SYS");
    }

    @Test
    void interconnectsOfRemovedDevicesGoAndTheSwitchStaysWithTheOthers() {
        AcceleratorRegistry after = WhatIf.remove(
                hosts("h100-sxm:8 ib:1x400"), device -> device.accelerator().deviceId() == 7);

        assertThat(after.systemIo().interconnects())
                .extracting(Interconnect::name)
                .contains("cuda:0", "cuda:6", "NVSwitch (8 GPUs)", "ib0")
                .doesNotContain("cuda:7");
        assertThat(WhatIf.remove(after, device -> true).systemIo().interconnects())
                .extracting(Interconnect::kind)
                .containsExactly(Interconnect.InterconnectKind.INFINIBAND);
    }

    @Test
    void theProcessorStaysWhereAcceleratorsAreReplaced() {
        AcceleratorRegistry before = hosts("h100-sxm:8 cpu:1TiB");
        AcceleratorRegistry after = WhatIf.replace(before, list("l4:2"));

        assertThat(after.profiles())
                .extracting(profile -> profile.id().text())
                .containsExactly("cpu:0", "cuda:0", "cuda:1");
        assertThat(after.profiles().getFirst()).isEqualTo(before.profiles().getFirst());
        assertThat(after.systemIo().interconnects()).isEmpty();
        assertThat(after.topology().links())
                .as("the new cuda:0 has not the links of the old one")
                .noneMatch(link -> link.kind().isDeviceFabric());
    }

    @Test
    void anyChangesKeepARegistrySound() {
        for (int i = 0; i < TRIALS; i++) {
            long seed = new Random().nextLong();
            try {
                change(new Random(seed));
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
    }

    private static void change(Random random) {
        String text = randomHosts(random);
        AcceleratorRegistry before = hosts(text);
        requireSound(before, text);

        DeviceList devices = list(randomDevices(random, ","));
        AcceleratorRegistry more = WhatIf.add(before, devices);
        requireSound(more, text);
        int added = devices.items().stream().mapToInt(DeviceCount::count).sum();
        assertThat(more.profiles()).hasSize(before.profiles().size() + added);

        List<AcceleratorProfile> own = before.profiles();
        AcceleratorRegistry again = WhatIf.remove(more, device -> !own.contains(device));
        assertThat(again.profiles()).as(text).isEqualTo(before.profiles());
        assertThat(again.topology()).as(text).isEqualTo(before.topology());
        assertThat(again.systemIo()).as(text).isEqualTo(before.systemIo());

        requireSound(WhatIf.remove(more, device -> random.nextBoolean()), text);
        AcceleratorRegistry other = WhatIf.replace(more, devices);
        requireSound(other, text);
        assertThat(other.profiles().stream()
                        .filter(device -> device.accelerator().kind() != AcceleratorKind.CPU))
                .hasSize(added);
    }

    /// No two devices share an id, and each link ends at nodes, of which those of devices are in the registry.
    private static void requireSound(AcceleratorRegistry registry, String text) {
        Set<DeviceId> ids = new HashSet<>();
        registry.profiles()
                .forEach(profile -> assertThat(ids.add(profile.id()))
                        .as(text + ": " + profile.id())
                        .isTrue());
        for (TopologyNode node : registry.topology().nodes()) {
            if (node instanceof TopologyNode.DeviceNode device) {
                assertThat(ids).as(text).contains(device.device());
            }
        }
        for (Link link : registry.topology().links()) {
            assertThat(registry.topology().findNode(link.from())).as(text).isPresent();
            assertThat(registry.topology().findNode(link.to())).as(text).isPresent();
        }
    }

    private static String randomHosts(Random random) {
        StringBuilder text = new StringBuilder();
        for (int host = 0; host <= random.nextInt(3); host++) {
            text.append(1 + random.nextInt(3))
                    .append("x[")
                    .append(randomDevices(random, " "))
                    .append(FABRIC_OR_NOT.get(random.nextInt(FABRIC_OR_NOT.size())))
                    .append("] ");
        }
        return text.toString();
    }

    /// Different devices, that some machine shows.
    private static String randomDevices(Random random, String between) {
        List<String> items = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(3); i++) {
            DeviceEntry entry =
                    CATALOGUE.entries().get(random.nextInt(CATALOGUE.entries().size()));
            if (entry.findKind().isPresent() && items.stream().noneMatch(item -> item.startsWith(entry.id() + ":"))) {
                items.add(entry.id() + ":" + (1 + random.nextInt(20)));
            }
        }
        return items.isEmpty() ? "l4:1" : String.join(between, items);
    }

    private static AcceleratorRegistry hosts(String text) {
        return WhatIf.synthetic(text, CATALOGUE);
    }

    private static DeviceList list(String text) {
        return DeviceList.parse(text, CATALOGUE);
    }
}
