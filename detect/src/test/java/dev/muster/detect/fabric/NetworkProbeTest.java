// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.Interconnect;
import dev.muster.core.PciAddress;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.core.unit.Bandwidth;
import dev.muster.detect.Contexts;
import dev.muster.detect.Fixtures;
import dev.muster.detect.host.HostSketch;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NetworkProbeTest {
    private static NetworkReport probe(HostSketch host) {
        return new NetworkProbe().probe(Contexts.of(host));
    }

    private static HostSketch port(HostSketch host, String card, int number, String state, String rate, String layer) {
        String folder = "/sys/class/infiniband/" + card + "/ports/" + number;
        return host.file(folder + "/state", state + "\n")
                .file(folder + "/rate", rate + "\n")
                .file(folder + "/phys_state", "5: LinkUp\n")
                .file(folder + "/link_layer", layer + "\n");
    }

    private static double rate(Interconnect port) {
        return port.bandwidth().find().orElseThrow().gigabytesPerSecond();
    }

    @Test
    void pitfall28_readsEveryPortOfRealCards() throws IOException {
        NetworkReport report =
                probe(new HostSketch().tar(Fixtures.sharedTar("infiniband/procfs-sysfs-infiniband.tar.gz"), "", ""));

        assertThat(report.ports())
                .extracting(Interconnect::name)
                .containsExactly("hfi1_0", "mlx4_0:1", "mlx4_0:2", "mlx5_0");
        assertThat(report.ports()).extracting(NetworkProbeTest::rate).containsExactly(12.5, 5.0, 5.0, 3.125);
        assertThat(report.ports()).allMatch(port -> port.kind() == Interconnect.InterconnectKind.INFINIBAND);
        assertThat(report.ports())
                .allMatch(port -> port.state().find().orElseThrow().equals("4: ACTIVE"));
        assertThat(report.cards()).extracting(NetworkReport.Card::name).containsExactly("hfi1_0", "mlx4_0", "mlx5_0");
        assertThat(report.gaps()).isEmpty();
    }

    @Test
    void defect44_aPortThatIsDownIsListedAndHasNoRate() {
        HostSketch host = port(new HostSketch(), "mlx5_0", 1, "4: ACTIVE", "400 Gb/sec (4X NDR)", "InfiniBand");
        port(host, "mlx5_0", 2, "1: DOWN", "10 Gb/sec (4X SDR)", "InfiniBand");
        host.file("/sys/class/infiniband/mlx5_0/ports/2/phys_state", "3: Disabled\n");

        List<Interconnect> ports = probe(host).ports();

        assertThat(ports).extracting(Interconnect::name).containsExactly("mlx5_0:1", "mlx5_0:2");
        assertThat(rate(ports.getFirst())).isEqualTo(50);
        assertThat(ports.getLast().state().find()).contains("1: DOWN");
        assertThat(ports.getLast().bandwidth())
                .isEqualTo(
                        Reading.unknown(UnknownReason.NOT_SUPPORTED, "the port is not active: 1: DOWN, 3: Disabled"));
    }

    @Test
    void tellsTheVersionsOfRoceApart() {
        HostSketch host = port(new HostSketch(), "mlx5_0", 1, "4: ACTIVE", "100 Gb/sec (4X EDR)", "Ethernet");
        host.file("/sys/class/infiniband/mlx5_0/ports/1/gid_attrs/types/0", "IB/RoCE v1\n")
                .file("/sys/class/infiniband/mlx5_0/ports/1/gid_attrs/types/1", "RoCE v2\n");
        port(host, "mlx5_1", 1, "4: ACTIVE", "100 Gb/sec (4X EDR)", "Ethernet");
        host.file("/sys/class/infiniband/mlx5_1/ports/1/gid_attrs/types/0", "IB/RoCE v1\n");

        assertThat(probe(host).ports())
                .extracting(Interconnect::kind)
                .containsExactly(Interconnect.InterconnectKind.ROCE_V2, Interconnect.InterconnectKind.ROCE);
    }

    @Test
    void knowsWhereACardSits() {
        String place = "/sys/devices/pci0000:80/0000:80:02.2/0000:82:00.0";
        HostSketch host = new HostSketch()
                .folder(place + "/infiniband/mlx4_0")
                .link(place + "/infiniband/mlx4_0/device", "../..")
                .link(
                        "/sys/class/infiniband/mlx4_0",
                        "../../devices/pci0000:80/0000:80:02.2/0000:82:00.0/infiniband/mlx4_0")
                .folder("/sys/devices/scif_dma_0/infiniband/scif0")
                .link("/sys/class/infiniband/scif0", "../../devices/scif_dma_0/infiniband/scif0");

        List<NetworkReport.Card> cards = probe(host).cards();

        assertThat(cards.getFirst().address().find()).contains(new PciAddress(0, 0x82, 0, 0));
        assertThat(cards.getLast().address().isKnown()).isFalse();
    }

    @Test
    void aRateThatCannotBeReadIsUnknownAndNotZero() {
        HostSketch host = port(new HostSketch(), "x", 1, "4: ACTIVE", "fast", "InfiniBand");

        assertThat(probe(host).ports().getFirst().bandwidth().isKnown()).isFalse();
    }

    @Test
    void aHostWithoutSuchCardsHasNoPorts() {
        assertThat(probe(new HostSketch()).ports()).isEmpty();
        assertThat(probe(new HostSketch()).cards()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "200 Gb/sec (4X HDR), 25",
        "400 Gb/sec (4X NDR), 50",
        "56 Gb/sec (4X FDR), 7",
        "40 Gb/sec (4X QDR), 5",
        "2.5 Gb/sec (1X SDR), 0.3125"
    })
    void readsRates(String text, double rate) {
        assertThat(PortText.parseRate(text)).contains(new Bandwidth(rate));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "0 Gb/sec", "NaN Gb/sec", "Infinity", "-1 Gb/sec", "1e99"})
    void refusesRatesThatAreNone(String text) {
        assertThat(PortText.parseRate(text)).isEmpty();
    }
}
