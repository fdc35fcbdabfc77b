// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

/// The rules of all output for people: it fits the width, uses only the requested characters, and is true.
class HumanOutputTest {
    static final List<String> COMMANDS = List.of(
            "",
            "detect --registry " + MusterRun.H100X7,
            "detect -o wide --registry " + MusterRun.H100X7,
            "detect --width 40 --registry " + MusterRun.H100X7,
            "detect --registry " + MusterRun.OWN,
            "diff " + MusterRun.H100X8 + " " + MusterRun.H100X7,
            "diff " + MusterRun.H100X8 + " " + MusterRun.OWN,
            "check --registry " + MusterRun.H100X7,
            "topology --registry " + MusterRun.HGX,
            "topology --tree --registry " + MusterRun.OWN,
            "detect --registry " + MusterRun.HGX,
            "detect --summary --registry " + MusterRun.HGX,
            "doctor",
            "watch --count 1 --registry " + MusterRun.LAPTOP,
            "help",
            "help check");

    @ParameterizedTest
    @FieldSource("COMMANDS")
    void onlyAsciiIsPrintedWhereOnlyAsciiWasAskedFor(String words) {
        Outcome outcome =
                MusterRun.onTerminal(80).run((words + " --ascii").strip().split(" "));

        assertThat((outcome.out() + outcome.err())
                        .codePoints()
                        .filter(point -> point > '~')
                        .boxed())
                .extracting(Character::toString)
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"60", "80", "120"})
    void nothingThatDetectShowsIsWiderThanTheTerminal(int columns) {
        for (String file : List.of(MusterRun.H100X8, MusterRun.H100X7, MusterRun.OWN)) {
            assertThat(MusterRun.onTerminal(columns)
                            .run("--registry", file)
                            .out()
                            .lines())
                    .as(file)
                    .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(columns));
        }
    }

    @Test
    void colourMarksWhatIsUnwellHotOrFull() {
        String devices = """
                {"schema":1,"kind":"registry","devices":[
                {"accelerator":"cuda","index":0,"memoryTotalBytes":8589934592,"memoryFreeBytes":536870912,
                "temperatureCelsius":40},
                {"accelerator":"cuda","index":1,"memoryTotalBytes":8589934592,"memoryFreeBytes":8589934592,
                "temperatureCelsius":85},
                {"accelerator":"cuda","index":2,"memoryTotalBytes":8589934592,"memoryFreeBytes":8589934592,
                "temperatureCelsius":84,"health":"uncorrected memory errors"}]}
                """;
        MusterRun pipe = MusterRun.inPipe().withStdin(devices);

        List<String> rows = pipe.run("--registry", "-", "--color", "always")
                .out()
                .lines()
                .skip(1)
                .limit(3)
                .toList();

        assertThat(rows.get(0)).contains("\u001b[33m0.5 of 8.0 GiB\u001b[0m").containsOnlyOnce("\u001b[3");
        assertThat(rows.get(1)).contains("\u001b[33m85 C\u001b[0m").containsOnlyOnce("\u001b[3");
        assertThat(rows.get(2)).contains("\u001b[31munhealthy\u001b[0m").containsOnlyOnce("\u001b[3");
        assertThat(pipe.run("--registry", "-").out()).doesNotContain("\u001b");
    }

    @Test
    void aNarrowTableDropsTheLinkBeforeTheTemperature() {
        assertThat(MusterRun.onTerminal(90)
                        .run("--registry", MusterRun.HGX)
                        .out()
                        .lines()
                        .findFirst()
                        .orElseThrow())
                .contains("TEMP")
                .doesNotContain("LINK");
    }

    @Test
    void whoeverWaitsForAnUnseenFitSeesHowFarItIs() {
        String data = "src/test/resources/fixtures/model/measured__synthetic";

        assertThat(MusterRun.onTerminal(100)
                        .run("accuracy", "--leave-out", "--data", data)
                        .err())
                .startsWith("\r\u001b[Kfitting without one group of rows: 0 of ")
                .endsWith("\r\u001b[K");
        assertThat(MusterRun.inPipe()
                        .run("accuracy", "--leave-out", "--data", data)
                        .err())
                .isEmpty();
    }

    @Test
    void unknownMemoryIsNotCountedAsZero() {
        String npuOnly = """
                {"schema":1,"kind":"registry","devices":[{"accelerator":"cpu"},{"accelerator":"intel-npu"}]}
                """;

        assertThat(detect(npuOnly)).contains("1 NPU").doesNotContain("0.0 GiB");
    }

    @Test
    void memoryThatDevicesShareWithTheHostIsCountedOnce() {
        String apu = """
                {"schema":1,"kind":"registry","devices":[{"accelerator":"cpu"},
                {"accelerator":"rocm","memoryTotalBytes":4294967296,"memorySharedBytes":31138512896},
                {"accelerator":"xdna","memorySharedBytes":31138512896}]}
                """;

        assertThat(detect(apu)).contains("1 GPU, 1 NPU with 29.0 GiB of memory.");
    }

    @Test
    void aPartitionIsCountedWithItsParentLikeItsMemory() {
        assertThat(MusterRun.inPipe().run("detect", "--registry", MusterRun.OWN).quietOutput())
                .contains("\n2 GPU");
    }

    @Test
    void anAcceleratorThatIsNotAvailableIsNotCalledAbsent() {
        String broken = """
                {"profiles":[{"accelerator":"Cpu","available":true,"memory_bytes":1073741824},
                {"accelerator":{"CudaGpu":{"device_id":0}},"available":false,"memory_bytes":1073741824}]}
                """;

        assertThat(detect(broken)).contains("unavailable").doesNotContain("only a CPU");
    }

    @Test
    void aRegistryWithoutDevicesIsNotSaidToHaveACpu() {
        assertThat(detect("{\"profiles\":[]}")).doesNotContain("only a CPU");
    }

    private static String detect(String registry) {
        return MusterRun.inPipe().withStdin(registry).run("--registry", "-").quietOutput();
    }
}
