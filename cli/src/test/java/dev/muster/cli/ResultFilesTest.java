// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.option.ExitCode;
import dev.muster.core.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `calibrate --from` and `accuracy --data` with files that benchmarks wrote.
class ResultFilesTest {
    private static final String SERVE = """
            {"backend": "vllm", "model_id": "meta-llama/Llama-3.1-8B-Instruct", "request_rate": "inf",
             "max_concurrency": 16, "duration": 51.5, "completed": 160, "total_input_tokens": 163840,
             "total_output_tokens": 40960, "output_throughput": 795.3, "mean_ttft_ms": 50.0, "median_tpot_ms": 20.0}
            """;

    @TempDir
    private Path folder;

    private MusterRun pipe = MusterRun.inPipe();
    private String run = "";

    @BeforeEach
    void write() throws IOException {
        pipe = MusterRun.inPipe().withEnvironment("XDG_CACHE_HOME", folder.toString());
        run = Files.writeString(folder.resolve("run.json"), SERVE).toString();
    }

    @Test
    void whatTheFileDoesNotSayIsAskedFor() {
        Outcome outcome = pipe.run("calibrate", "--from", run);

        assertThat(outcome.code()).isEqualTo(ExitCode.NO);
        assertThat(outcome.out()).contains("vllm bench serve", "20.00 ms", "0 runs of 1 to learn from");
        assertThat(outcome.err())
                .isEqualTo("muster: '" + run
                        + "': the file does not say the device, the tensor parallel degree (--device, --tp)\n");
        assertThat(folder.resolve("muster/runs.json")).doesNotExist();
    }

    @Test
    void plansLearnFromARunThatIsKept() {
        List<String> plan = List.of(
                "plan",
                "llama-3.1-8b",
                "--synthetic",
                "h100-sxm:1",
                "--engine",
                "vllm",
                "--concurrency",
                "16",
                "--json");
        double before = timePerToken(pipe.run(plan));
        Outcome learned = pipe.run("calibrate", "--from", run, "--device", "h100-sxm", "--tp", "1");
        Outcome after = pipe.run(plan);

        assertThat(learned.code()).isEqualTo(ExitCode.OK);
        assertThat(learned.err()).isEqualTo("muster: stored in " + folder.resolve("muster/runs.json") + "\n");
        assertThat(timePerToken(after)).isGreaterThan(before);
        assertThat(after.err()).contains("predictions are corrected by your run of run.json (vllm bench serve");
    }

    private static double timePerToken(Outcome outcome) {
        assertThat(outcome.code()).isEqualTo(ExitCode.OK);
        String text = outcome.out();
        int at = text.indexOf("\"timePerOutputTokenSeconds\"");
        assertThat(at).as(text).isPositive();
        String rest = text.substring(text.indexOf("\"p50\":", at) + "\"p50\":".length());
        return Double.parseDouble(rest.substring(0, Math.min(rest.indexOf(','), rest.indexOf('}'))));
    }

    @Test
    void nothingIsKeptWhereThatIsAskedFor() {
        Outcome outcome =
                pipe.run("calibrate", "--no-store", "--json", "--from", run, "--device", "h100-sxm", "--tp", "1");

        assertThat(outcome.code()).isEqualTo(ExitCode.OK);
        JsonValue document = JsonValue.parse(outcome.out());
        assertThat(document.requireItems("runs").getFirst().requireText("tool")).isEqualTo("vllm bench serve");
        assertThat(folder.resolve("muster/runs.json")).doesNotExist();
    }

    @Test
    void severalFilesAreReadAndTheFailedOneIsSaid() throws IOException {
        Path failed = Files.writeString(folder.resolve("failed.json"), "{\"reason\": \"no memory\"}");
        Outcome outcome = pipe.run(
                "calibrate", "--from", run, failed.toString(), "--device", "h100-sxm", "--tp", "1", "--no-store");

        assertThat(outcome.code()).isEqualTo(ExitCode.NO);
        assertThat(outcome.err())
                .isEqualTo("muster: '" + failed + "': a marker of a failed run, not a measurement: no memory\n");
    }

    @Test
    void accuracyTellsTheErrorOfEachFile() {
        Outcome outcome = pipe.run("accuracy", "--data", run, "--device", "h100-sxm", "--tp", "1", "--rows");

        assertThat(outcome.code()).isEqualTo(ExitCode.OK);
        assertThat(outcome.out()).contains("FILE", "run.json", "run 1 tpot_ms", "20.00");
    }

    @Test
    void accuracyNamesWhatIsMissing() {
        Outcome outcome = pipe.run("accuracy", "--data", run);

        assertThat(outcome.code()).isEqualTo(ExitCode.NO);
        assertThat(outcome.out()).contains("run.json: the file does not say the device", "--device");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            calibrate x.json | unexpected argument 'x.json'
            calibrate --tp 2 | --tp does not apply: calibrate measures this machine unless --from names results
            calibrate --from x --quick | --quick does not apply: --from measures nothing
            calibrate --from x --registry y | --registry does not apply: --from reads files, not a machine
            accuracy --tp 2 | --tp does not apply: tables already describe their runs
            accuracy x.json | unexpected argument 'x.json'
            """)
    void whatMakesNoSenseIsRefused(String words, String sentence) {
        pipe.run(List.of(words.split(" ")))
                .assertRefused(ExitCode.USAGE, "muster: " + sentence + "; see 'muster help'");
    }

    @Test
    void aFileThatIsNotThereIsSaid() {
        pipe.run("calibrate", "--from", "nowhere.json")
                .assertRefused(ExitCode.NO, "muster: file 'nowhere.json' not found");
    }

    @Test
    void brokenRunsAreReplacedAndSaid() throws IOException {
        pipe.run("calibrate", "--from", run, "--device", "h100-sxm", "--tp", "1");
        Path file = folder.resolve("muster/runs.json");
        Files.writeString(file, "{");
        Outcome plan = pipe.run("plan", "llama-3.1-8b", "--synthetic", "h100-sxm:1");
        assertThat(plan.code()).isEqualTo(ExitCode.OK);
        assertThat(plan.err()).contains("the stored runs cannot be read");
        assertThat(pipe.run("calibrate", "--from", run, "--device", "h100-sxm", "--tp", "1")
                        .code())
                .isEqualTo(ExitCode.OK);
    }
}
