// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.unit.Bytes;
import dev.muster.detect.Fixtures;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MeminfoParserTest {
    @Test
    void readsTotalAndAvailableMemoryInKib() throws IOException {
        String text = Fixtures.own("linux/meminfo/two-tib-host__synthetic.txt");

        assertThat(MeminfoParser.find(text, "MemTotal")).contains(Bytes.ofKib(2_113_407_800L));
        assertThat(MeminfoParser.find(text, "MemAvailable")).contains(Bytes.ofKib(2_000_000_000L));
    }

    @Test
    void readsTheRecordingOfARealMachine() throws IOException {
        String text = Fixtures.shared("nvidia/h200-microvm/meminfo.txt");

        assertThat(MeminfoParser.find(text, "MemTotal")).contains(Bytes.of(135_148_457_984L));
        assertThat(MeminfoParser.find(text, "MemAvailable")).contains(Bytes.of(134_596_993_024L));
    }

    @Test
    void findsNothingThatAnOldKernelDoesNotSay() throws IOException {
        String text = Fixtures.own("linux/meminfo/kernel-before-3.14__synthetic.txt");

        assertThat(MeminfoParser.find(text, "MemTotal")).contains(Bytes.ofKib(16_330_124));
        assertThat(MeminfoParser.find(text, "MemAvailable")).isEmpty();
    }

    @Test
    void zeroIsAnAnswer() {
        assertThat(MeminfoParser.find("SwapTotal:             0 kB\n", "SwapTotal"))
                .contains(Bytes.ZERO);
    }

    @Test
    void aKeyIsTheWholeWordBeforeTheColon() {
        String text = "MemTotalHigh: 1 kB\nXMemTotal: 2 kB\nMemTotal: 3 kB\n";

        assertThat(MeminfoParser.find(text, "MemTotal")).contains(Bytes.ofKib(3));
    }

    @Test
    void readsLinesThatEndAsOnWindows() {
        assertThat(MeminfoParser.find("MemTotal: 3 kB\r\nMemFree: 1 kB\r\n", "MemTotal"))
                .contains(Bytes.ofKib(3));
    }

    @Test
    void readsTheLargestNumberThatIsPlausible() {
        assertThat(MeminfoParser.find("MemTotal: 999999999999999 kB\n", "MemTotal"))
                .contains(Bytes.ofKib(999_999_999_999_999L));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\n\n\n",
                "MemTotal",
                "MemTotal:",
                "MemTotal: kB",
                "MemTotal: 12",
                "MemTotal: 12 MB",
                "MemTotal: 12 kBs",
                "MemTotal: -12 kB",
                "MemTotal: 0x12 kB",
                "MemTotal: 1.5 kB",
                "MemTotal: 1 2 kB",
                "MemTotal: ٣ kB",
                "MemTotal: 9999999999999999 kB",
                "MemTotal: 99999999999999999999999999999999 kB",
                "\u0000\u0001\ufffd\ufffdELF",
            })
    void findsNothingInTextThatIsNotAnAmount(String text) {
        assertThat(MeminfoParser.find(text, "MemTotal")).isEmpty();
    }
}
