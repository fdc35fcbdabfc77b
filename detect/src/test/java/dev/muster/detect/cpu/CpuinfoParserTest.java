// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.detect.Fixtures;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CpuinfoParserTest {
    @Test
    void countsCoresOfTwoSocketsOnceDespiteHyperThreading() throws IOException {
        String text = Fixtures.own("linux/cpuinfo/x86-2socket-hyperthreading__synthetic.txt");

        assertThat(CpuinfoParser.parse(text).countCores()).contains(8L);
        assertThat(CpuinfoParser.parse(text).findModelName()).contains("Intel(R) Xeon(R) Gold 5122 CPU @ 3.60GHz");
    }

    @Test
    void readsTheRecordingOfARealMachine() throws IOException {
        String text = Fixtures.shared("nvidia/h200-microvm/cpuinfo.txt");

        assertThat(CpuinfoParser.parse(text).countCores()).contains(16L);
        assertThat(CpuinfoParser.parse(text).findModelName()).contains("Intel(R) Xeon(R) Processor");
    }

    @Test
    void countsProcessorsWhereThereAreNoCoreIds() throws IOException {
        String text = Fixtures.own("linux/cpuinfo/arm64-no-core-ids__synthetic.txt");

        assertThat(CpuinfoParser.parse(text).countCores()).contains(4L);
    }

    @Test
    void inventsNoNameForAnArmProcessor() throws IOException {
        String text = Fixtures.own("linux/cpuinfo/arm64-no-core-ids__synthetic.txt");

        assertThat(CpuinfoParser.parse(text).findModelName()).isEmpty();
    }

    @Test
    void takesTheBoardForANameWhereAnArmSystemHasOne() throws IOException {
        String text = Fixtures.own("linux/cpuinfo/arm64-board-name__synthetic.txt");

        assertThat(CpuinfoParser.parse(text).findModelName()).contains("Raspberry Pi 4 Model B Rev 1.4");
        assertThat(CpuinfoParser.parse(text).countCores()).contains(4L);
    }

    @Test
    void readsPower() throws IOException {
        String text = Fixtures.own("linux/cpuinfo/power9__synthetic.txt");

        assertThat(CpuinfoParser.parse(text).findModelName()).contains("POWER9, altivec supported");
        assertThat(CpuinfoParser.parse(text).countCores()).contains(8L);
    }

    @Test
    void readsCoresOfAMainframe() throws IOException {
        String text = Fixtures.own("linux/cpuinfo/s390-two-threads-a-core__synthetic.txt");

        assertThat(CpuinfoParser.parse(text).countCores()).contains(2L);
        assertThat(CpuinfoParser.parse(text).findModelName()).isEmpty();
    }

    @Test
    void countsProcessorsOfAMainframeWithAnOldKernel() throws IOException {
        String text = Fixtures.own("linux/cpuinfo/s390-old-kernel__synthetic.txt");

        assertThat(CpuinfoParser.parse(text).countCores()).contains(4L);
    }

    @Test
    void coresOfOneNumberInTwoSocketsAreTwoCores() {
        String text = """
                processor: 0
                physical id: 0
                core id: 0

                processor: 1
                physical id: 1
                core id: 0
                """;

        assertThat(CpuinfoParser.parse(text).countCores()).contains(2L);
    }

    @Test
    void cutsANameThatIsTooLongToBeOne() {
        assertThat(CpuinfoParser.parse("model name : " + "x".repeat(300)).findModelName())
                .contains("x".repeat(256));
    }

    @Test
    void anEmptyNameIsNoName() {
        assertThat(CpuinfoParser.parse("processor : 0\nmodel name :\n").findModelName())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", ":", "::::\n:", "no colon anywhere", "\u0000\ufffd\u001b[31m", "cpu MHz : 3"})
    void learnsNothingFromEmptyOrJunkText(String text) {
        assertThat(CpuinfoParser.parse(text).countCores()).isEmpty();
        assertThat(CpuinfoParser.parse(text).findModelName()).isEmpty();
    }
}
