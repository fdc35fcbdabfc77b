// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.google;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.Provenance;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Ratio;
import dev.muster.detect.Fixtures;
import dev.muster.detect.FuzzText;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TpuInfoParserTest {
    private static final Provenance TOOL =
            Provenance.of("tpu-info", Provenance.Method.COMMAND, Provenance.Confidence.MEASURED);

    @Test
    void readsFourV6eChipsWithTheirMemory() throws IOException {
        TpuInfoParser.Listing listing = parse(Fixtures.shared("tpu/v6e-4chip.tpu-info.txt"));

        assertThat(listing.runtime().find()).contains("0.0.19.dev20250721+nightly");
        assertThat(listing.type().find()).contains("v6e");
        assertThat(listing.chips())
                .extracting(TpuInfoParser.Listing.Chip::node)
                .containsExactly("/dev/vfio/0", "/dev/vfio/1", "/dev/vfio/2", "/dev/vfio/3");
        assertThat(listing.chips()).allSatisfy(chip -> {
            assertThat(chip.type()).isEqualTo("TPU v6e chip");
            assertThat(chip.memory().find()).contains(Bytes.parse("31.25GiB"));
            assertThat(chip.duty().find()).contains(new Ratio(1));
        });
        assertThat(listing.chips().getFirst().used().find()).contains(Bytes.parse("18.45GiB"));
        assertThat(listing.chips().getLast().used().find()).contains(Bytes.parse("10.40GiB"));
    }

    @Test
    void readsVersions() throws IOException {
        TpuInfoParser.Listing listing = parse(Fixtures.shared("tpu/v6e.version-ok.txt"));

        assertThat(listing.runtime().find()).contains("0.0.18");
        assertThat(listing.type().find()).contains("v6e");
        assertThat(listing.chips()).isEmpty();
    }

    @Test
    void keepsTheVersionsOfAnIncompatibleEnvironmentUnknown() throws IOException {
        TpuInfoParser.Listing listing = parse(Fixtures.shared("tpu/v6e.version-incompatible.txt"));

        assertThat(listing.runtime().isKnown()).isFalse();
        assertThat(listing.type().isKnown()).isFalse();
    }

    @Test
    void addsUpTheCoresThatAChipShowsAsDevices() {
        TpuInfoParser.Listing listing = parse("""
                ┃ Chip        ┃ Type        ┃ Devices ┃ PID  ┃
                │ /dev/accel0 │ TPU v3 chip │ 2       │ None │
                │ /dev/accel1 │ TPU v3 chip │ 2       │ None │
                ┃ Device ┃ Memory usage ┃
                | Device | HBM Usage (GiB)      | Duty cycle |
                | 0      | 1.00 GiB / 16.00 GiB | 10.00%     |
                | 1      | 2.00 GiB / 16.00 GiB | 10.00%     |
                | 2      | N/A                  | N/A        |
                """);

        assertThat(listing.chips()).hasSize(2);
        assertThat(listing.chips().get(0).memory().find()).contains(Bytes.ofGib(32));
        assertThat(listing.chips().get(0).used().find()).contains(Bytes.ofGib(3));
        assertThat(listing.chips().get(1).memory().isKnown()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"4, 5, 4, 5", "4, 5, 0, 1", "0, 1, 6, 7"})
    void usageOfChipsWithOtherNumbersThanTheirPlacesIsKept(int node, int otherNode, int id, int otherId) {
        TpuInfoParser.Listing listing = TpuInfoParser.parse(
                "| Chip | Type | Devices | PID |\n"
                        + "| /dev/vfio/" + node + " | TPU v6e chip | 1 | 1 |\n"
                        + "| /dev/vfio/" + otherNode + " | TPU v6e chip | 1 | 1 |\n"
                        + "| Chip | HBM Usage (GiB) | Duty cycle |\n"
                        + "| " + id + " | 1.00 GiB / 31.25 GiB | 10.00% |\n"
                        + "| " + otherId + " | 2.00 GiB / 31.25 GiB | 20.00% |\n",
                FuzzText.SOURCE);

        assertThat(listing.chips())
                .extracting(chip -> chip.used().find().orElseThrow())
                .containsExactly(Bytes.ofGib(1), Bytes.ofGib(2));
    }

    @Test
    void takesNothingFromOtherTexts() {
        assertThat(parse("").chips()).isEmpty();
        assertThat(parse("| | |\n|/dev/\n| Chip | HBM Usage | x |\n| 9 |\n| 1 | / | / |")
                        .chips())
                .isEmpty();
    }

    private static TpuInfoParser.Listing parse(String text) {
        return TpuInfoParser.parse(text, TOOL);
    }
}
