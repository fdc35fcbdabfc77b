// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.OptionSpec;
import dev.muster.testing.Need;
import dev.muster.testing.Needs;
import dev.muster.testing.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Completion as the shells see it: the scripts are run, or at least parsed, by the real ones.
@Needs(value = Need.POSIX, programs = "bash")
class CompletionScriptTest {
    private static final List<CommandSpec> COMMANDS = new Commands("").specs();

    /// Completes the last of the words that follow the script's name.
    private static final String DRIVER = """
            source "$1" || exit 9
            shift
            COMP_WORDS=("$@")
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            COMPREPLY=()
            _muster || exit 8
            [ ${#COMPREPLY[@]} -eq 0 ] || printf '%s\\n' "${COMPREPLY[@]}"
            """;

    @TempDir
    static Path folder = Path.of("");

    static List<CommandSpec> commands() {
        return COMMANDS;
    }

    @BeforeAll
    static void writeScripts() throws IOException {
        for (String shell : List.of("bash", "zsh", "fish")) {
            Files.writeString(folder.resolve(shell), CompletionScript.of(shell, COMMANDS));
        }
    }

    @Test
    void bashCompletesCommands() throws IOException, InterruptedException {
        assertThat(complete("")).startsWith(new Commands("").names().toArray(String[]::new));
        assertThat(complete("de")).containsExactly("detect", "devices");
        assertThat(complete("che")).containsExactly("check", "check-launch");
        assertThat(complete("x")).isEmpty();
    }

    @Test
    void bashCompletesOptionsBeforeACommand() throws IOException, InterruptedException {
        assertThat(complete("--ou")).containsExactly("--output");
        assertThat(complete("--json", "--reg")).containsExactly("--registry");
    }

    @ParameterizedTest
    @MethodSource("commands")
    void bashCompletesEveryOptionOfEveryCommand(CommandSpec command) throws IOException, InterruptedException {
        assertThat(complete(command.name(), "--"))
                .containsExactlyInAnyOrderElementsOf(command.allOptions().stream()
                        .map(option -> "--" + option.name())
                        .toList());
    }

    @Test
    void bashCompletesTheValuesOfAnOption() throws IOException, InterruptedException {
        assertThat(complete("detect", "--output", ""))
                .containsExactly("table", "wide", "json", "yaml", "csv", "tsv", "name");
        assertThat(complete("detect", "-o", "j")).containsExactly("json");
        assertThat(complete("--color", "a")).containsExactly("auto", "always");
        assertThat(complete("devices", "--family", "")).containsExactly("cpu", "gpu", "npu", "tpu", "asic", "ai-asic");
        assertThat(complete("check", "--link", "nv")).containsExactly("nvlink", "nvlink-c2c");
    }

    @Test
    void bashOffersOnlyTheFormsInWhichACommandPrints() throws IOException, InterruptedException {
        assertThat(complete("check", "-o", "")).containsExactly("table", "json", "yaml");
        assertThat(complete("watch", "-o", "")).containsExactly("table", "wide", "json");
        assertThat(complete("completion", "--out")).isEmpty();
    }

    @Test
    void bashKnowsWhomADetectionAsksAndWhatCarriesAGroup() throws IOException, InterruptedException {
        assertThat(complete("detect", "--only", "cu")).containsExactly("cuda");
        assertThat(complete("detect", "--without", "vul")).containsExactly("vulkan");
        assertThat(complete("mesh", "run", "--backend", "s")).containsExactly("shm");
        assertThat(complete("mesh", "bench", "--backend", "hier-")).containsExactly("hier-mpi", "hier-gloo");
    }

    @Test
    void bashCompletesTheWordsOfMesh() throws IOException, InterruptedException {
        assertThat(complete("mesh", "")).containsExactly("plan", "run", "bench", "rehearse", "doctor");
        assertThat(complete("mesh", "p")).containsExactly("plan");
        assertThat(complete("mesh", "plan", "--gro")).containsExactly("--groups");
        assertThat(complete("mesh", "bench", "--gro")).isEmpty();
    }

    @Test
    void bashCompletesModelsAndDevicesOfTheCatalogues() throws IOException, InterruptedException {
        assertThat(complete("plan", "qwen3-32")).containsExactly("qwen3-32b");
        assertThat(complete("models", "llama-3.1-8")).contains("llama-3.1-8b");
        assertThat(complete("--synthetic", "h100-p")).containsExactly("h100-pcie");
        assertThat(complete("plan", "--add", "h100-p")).containsExactly("h100-pcie");
        assertThat(complete("detect", "--replace", "h100-p")).containsExactly("h100-pcie");
    }

    @Test
    void bashCompletesWhatAPlanIsMadeFor() throws IOException, InterruptedException {
        assertThat(complete("plan", "--goal", "thr")).containsExactly("throughput");
        assertThat(complete("train", "--goal", "")).containsExactly("speed", "cost", "devices", "energy");
        assertThat(complete("plan", "--quant", "q4_k_m")).containsExactly("q4_k_m");
        assertThat(complete("cost", "--engine", "vl")).containsExactly("vllm");
        assertThat(complete("plan", "--engine", "vl")).containsExactly("vllm");
        assertThat(complete("plan", "--emit", "kub")).containsExactly("kubernetes");
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            muster plan --goal thr          | throughput
            muster train --goal sp          | speed
            muster mesh be                  | bench
            muster mesh plan --ord          | --order
            muster detect --synthetic h100-p | h100-pcie
            muster plan qwen3-32            | qwen3-32b
            """, delimiter = '|')
    @Needs(programs = "fish")
    void fishCompletesTheSame(String typed, String completed) throws IOException, InterruptedException {
        String program = "source '" + folder.resolve("fish") + "'; complete -C '" + typed + "'";

        assertThat(run(List.of("fish", "--no-config", "-c", program)))
                .singleElement()
                .asString()
                .startsWith(completed);
    }

    @Test
    void bashLeavesFilesAndFreeValuesToTheShell() throws IOException, InterruptedException {
        assertThat(complete("detect", "--registry", "")).isEmpty();
        assertThat(complete("devices", "--min-memory", "")).isEmpty();
        assertThat(complete("diff", "")).isEmpty();
        assertThat(complete("diff", "before.json", "a")).isEmpty();
        assertThat(bash("source \"$1\"; complete -p muster", "script"))
                .containsExactly("complete -o default -F _muster muster");
    }

    @Test
    void bashCompletesOperands() throws IOException, InterruptedException {
        assertThat(complete("completion", "")).contains("bash", "zsh", "fish");
        assertThat(complete("completion", "z")).containsExactly("zsh");
        assertThat(complete("help", "ch")).containsExactly("check", "check-launch");
    }

    @Test
    void bashCompletesBehindACommandWithOptionsBeforeIt() throws IOException, InterruptedException {
        assertThat(complete("--color", "never", "devices", "--fam")).containsExactly("--family");
    }

    @Test
    void bashFindsNoFaultWithItsScript() throws IOException, InterruptedException {
        assertThat(run(List.of("bash", "-n", folder.resolve("bash").toString())))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"zsh", "fish"})
    void theOtherShellsFindNoFaultWithTheirScripts(String shell) throws IOException, InterruptedException {
        Program.require(shell);

        assertThat(run(List.of(shell, "-n", folder.resolve(shell).toString()))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"zsh", "fish"})
    void theOtherScriptsNameEveryCommandAndOption(String shell) {
        String script = CompletionScript.of(shell, COMMANDS);

        for (CommandSpec command : COMMANDS) {
            assertThat(script).contains(command.name(), command.summary());
            for (OptionSpec option : command.allOptions()) {
                assertThat(script).contains(shell.equals("zsh") ? "'--" + option.name() + "[" : " -l " + option.name());
            }
        }
    }

    private static List<String> complete(String... words) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of("muster"));
        all.addAll(List.of(words));
        return bash(DRIVER, all.toArray(String[]::new));
    }

    private static List<String> bash(String program, String... words) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of(
                "bash",
                "--norc",
                "-c",
                program,
                "driver",
                folder.resolve("bash").toString()));
        line.addAll(List.of(words));
        return run(line);
    }

    private static List<String> run(List<String> line) throws IOException, InterruptedException {
        Program.Result result = Program.run(line);
        assertThat(result.code()).as(result.output()).isZero();
        return result.output().lines().toList();
    }
}
