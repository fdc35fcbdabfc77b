// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.hwloc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.Interconnect;
import dev.muster.core.Link;
import dev.muster.core.LinkKind;
import dev.muster.core.unit.Bandwidth;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HwlocFabricTest {
    /// A machine of two devices, and two NVSwitches.
    ///
    /// @param device the first device's name without its number
    private static AcceleratorRegistry read(String device, String matrix) throws HwlocFormatException {
        String text = """
                <topology version="3.0"><object type="Machine" cpuset="0x1">
                  <object type="PCIDev" pci_busid="0000:01:00.0">
                    <object type="OSDev" gp_index="1" name="%1$s0"/><object type="OSDev" gp_index="3" name="%1$s0.1"/>
                  </object>
                  <object type="PCIDev" pci_busid="0000:02:00.0"><object type="OSDev" gp_index="2" name="%1$s1"/></object>
                  <object type="PCIDev" gp_index="4" subtype="NVSwitch" pci_busid="0000:03:00.0"/>
                  <object type="PCIDev" gp_index="5" subtype="NVSwitch" pci_busid="0000:04:00.0"/>
                </object>%2$s</topology>
                """.formatted(device, matrix);
        return HwlocDocument.read(text.getBytes(StandardCharsets.UTF_8));
    }

    private static List<Link> fabric(AcceleratorRegistry registry) {
        return registry.topology().links().stream()
                .filter(link -> link.kind().isDeviceFabric())
                .toList();
    }

    @ParameterizedTest
    @CsvSource({"20000, 1", "40000, 2", "25000, 1", "50000, 2", "450000, 18", "900000, 18"})
    void countsNvlinksByWhatOneCarries(long rate, int lanes) throws HwlocFormatException {
        AcceleratorRegistry registry = read("nvml", """
                <distances2 name="NVLinkBandwidth" nbobjs="2" indexing="gp">
                  <indexes>1 2</indexes><u64values>0 %1$d %1$d 0</u64values>
                </distances2>
                """.formatted(rate));

        assertThat(fabric(registry)).singleElement().satisfies(link -> {
            assertThat(link.lanes()).isEqualTo(lanes);
            assertThat(link.bandwidth().find()).hasValue(new Bandwidth(rate / 1000.0));
        });
    }

    @Test
    void allSwitchesAreOne() throws HwlocFormatException {
        AcceleratorRegistry registry = read("nvml", """
                <distances2hetero name="NVLinkBandwidth" nbobjs="4">
                  <indexes>OSDev:1 OSDev:2 PCIDev:4 PCIDev:5</indexes>
                  <u64values>0 0 25000 25000 0 0 0 50000 25000 0 0 0 25000 50000 0 0</u64values>
                </distances2hetero>
                """);

        assertThat(fabric(registry))
                .hasSize(2)
                .allMatch(link -> link.lanes() == 2 && link.to().text().equals("nvswitch"));
        assertThat(registry.systemIo().interconnects())
                .extracting(Interconnect::name)
                .containsExactly("cuda:0", "cuda:1", "NVSwitch (2 GPUs)");
    }

    @Test
    void partsSpeakForTheirDevice() throws HwlocFormatException {
        AcceleratorRegistry registry = read("ze", """
                <distances2 name="XeLinkBandwidth" nbobjs="3" indexing="gp">
                  <indexes>1 2 3</indexes><u64values>9 30 7 30 9 20 7 20 9</u64values>
                </distances2>
                """);

        assertThat(fabric(registry)).singleElement().satisfies(link -> {
            assertThat(link.kind()).isEqualTo(LinkKind.XE_LINK);
            assertThat(link.bandwidth().find()).hasValue(new Bandwidth(0.05));
        });
        assertThat(registry.systemIo().interconnects()).isEmpty();
    }
}
