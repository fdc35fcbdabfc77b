// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.option.ExitCode;
import dev.muster.core.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The options of `detect` that ai-hwaccel's users know, and those that say who is asked.
class DetectOptionsTest {
    private final MusterRun pipe = MusterRun.inPipe();

    @Test
    void columnsHaveTheNamesOfTheReference() {
        String columns = "id,name,device,mem,memory,free,bw,bandwidth,pcie,numa,family,status";

        assertThat(pipe.run("detect", "--registry", MusterRun.H100X8, "--columns", columns, "-o", "tsv")
                        .quietOutput()
                        .lines()
                        .skip(1)
                        .findFirst())
                .contains("cpu:0\tCPU\tCPU\t2164129587200\t2164129587200\t\t\t\t\t\tcpu\ttrue");
    }

    @Test
    void columnsAreShownInTheOrderAskedFor() {
        assertThat(pipe.run("detect", "--registry", MusterRun.H100X8, "--columns", "numa,id", "--no-header")
                        .quietOutput())
                .startsWith("–  cpu:0\n0  cuda:0\n");
    }

    @Test
    void aFieldOfSeveralFactsIsSplitForMachines() {
        assertThat(pipe.run("detect", "--registry", MusterRun.HGX, "--fields", "id,use,draw", "-o", "csv")
                        .quietOutput())
                .startsWith("id,memoryFreeBytes,memoryTotalBytes,powerWatts,powerLimitWatts\n");
    }

    @ParameterizedTest
    @CsvSource({
        "mem, cpu:0 tpu:0 cuda:0 cuda:1 cuda:1/MIG-c7384736-a75d-5afc-978f-d2f1294409fd intel-npu:0",
        "memory, cpu:0 tpu:0 cuda:0 cuda:1 cuda:1/MIG-c7384736-a75d-5afc-978f-d2f1294409fd intel-npu:0",
        "name, cpu:0 cuda:0 cuda:1 cuda:1/MIG-c7384736-a75d-5afc-978f-d2f1294409fd intel-npu:0 tpu:0",
        "family, cpu:0 cuda:0 cuda:1 cuda:1/MIG-c7384736-a75d-5afc-978f-d2f1294409fd intel-npu:0 tpu:0"
    })
    void devicesAreSortedAndUnknownMemoryComesLast(String key, String ids) {
        assertThat(pipe.run("detect", "--registry", MusterRun.OWN, "--sort", key, "-o", "name")
                        .quietOutput()
                        .lines())
                .containsExactly(ids.split(" "));
    }

    @Test
    void defect54_totalsBelowATableAreThoseOfTheDevicesInIt() {
        assertThat(pipe.run("detect", "--registry", MusterRun.OWN, "--family", "npu")
                        .quietOutput())
                .contains("1 NPU")
                .doesNotContain("GPU");
    }

    @ParameterizedTest
    @ValueSource(strings = {"asic", "ai-asic"})
    void aFamilyWithoutDevicesIsSaidToBeEmpty(String family) {
        Outcome outcome = pipe.run("detect", "--registry", MusterRun.OWN, "--family", family, "-o", "name");

        assertThat(outcome).isEqualTo(new Outcome(0, "", "muster: none of 6 devices is of that family\n"));
    }

    @Test
    void aSummaryHasTheTotals() {
        Golden.assertMatches(
                "summary-hgx-json",
                pipe.run("detect", "--registry", MusterRun.HGX, "--summary", "--json")
                        .quietOutput());
        Golden.assertMatches(
                "summary-hgx",
                pipe.run("detect", "--registry", MusterRun.HGX, "--summary").quietOutput());
    }

    @Test
    void aSummaryInTheReferencesFormHasItsKeysInItsOrder() {
        String text = pipe.run("detect", "--registry", MusterRun.H100X7, "--summary", "--reference")
                .quietOutput();

        assertThat(((JsonValue.JsonObject) JsonValue.parse(text)).members().keySet())
                .containsExactly(
                        "accelerator_memory_bytes",
                        "best_device",
                        "device_count",
                        "families",
                        "has_accelerator",
                        "schema_version",
                        "total_memory_bytes",
                        "version",
                        "warnings");
        Golden.assertMatches("summary-h100x7-reference", text);
    }

    @Test
    void timingEndsWithTheTotalAndStaysOffStandardOutput() {
        Outcome outcome = pipe.run("detect", "--timing", "-o", "name");

        assertThat(outcome.out()).isEqualTo("cpu:0\n");
        assertThat(outcome.err()).startsWith("\nBackend timing:\n");
        assertThat(outcome.err().lines().filter(line -> !line.isBlank()))
                .last()
                .asString()
                .matches(" {2}TOTAL \\(wall\\) {5,12}[0-9]+\\.[0-9]ms");
    }

    @Test
    void backendsMayBeChosenOrLeftOut() {
        for (String words : new String[] {
            "--only cuda,intel-npu", "--without vulkan", "--no-exec", "--timeout 250ms", "--timeout 1.5s --no-exec"
        }) {
            assertThat(pipe.run(("detect -o name " + words).split(" ")).quietOutput())
                    .isEqualTo("cpu:0\n");
        }
    }

    @Test
    void aRecordedHostIsAskedInsteadOfThisMachine(@TempDir Path folder) throws IOException {
        Files.writeString(
                folder.resolve("bundle.json"),
                "{\"schema\":1,\"os\":\"linux\",\"arch\":\"amd64\",\"created\":\"2026-01-31T12:00:00Z\"}");
        Path proc = Files.createDirectories(folder.resolve("root/proc"));
        Files.writeString(proc.resolve("meminfo"), "MemTotal:       1048576 kB\nMemAvailable:    524288 kB\n");

        assertThat(pipe.run("detect", "--host", folder.toString(), "--fields", "id,memory,free", "--no-header")
                        .quietOutput())
                .startsWith("cpu:0  1.0 GiB  512.0 MiB\n");
        pipe.run("check", "--host", folder.toString(), "--requirement", "none").quietOutput();
    }

    @ParameterizedTest
    @ValueSource(strings = {"detect", "devices", "check", "diff " + "src/test/resources/fixtures/registry/none"})
    void aBundleThatIsNoneIsOneSentence(String words, @TempDir Path folder) {
        String none = folder.resolve("none").toString();
        Outcome outcome = pipe.run((words.startsWith("diff") ? "diff " + MusterRun.H100X8 : words)
                .concat(" --host " + none)
                .split(" "));

        assertThat(outcome.code()).isEqualTo(ExitCode.NO);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err())
                .startsWith("muster: cannot open the recorded host '" + none + "': ")
                .hasLineCount(1);
    }
}
