// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.option.ExitCode;
import dev.muster.cli.session.Version;
import dev.muster.core.json.JsonValue;
import dev.muster.detect.host.HostAnswer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MusterTest {
    private final MusterRun pipe = MusterRun.inPipe();

    @Test
    void withoutArgumentsItShowsTheDevicesOfThisMachineAndWhatToTryNext() {
        Golden.assertMatches("muster", pipe.run().quietOutput());
    }

    @Test
    void detectShowsATable() {
        Golden.assertMatches("detect-table", pipe.run("detect").quietOutput());
    }

    @ParameterizedTest
    @ValueSource(strings = {"wide", "json", "yaml", "csv", "name"})
    void detectPrintsEveryOtherFormat(String format) {
        Golden.assertMatches(
                "detect-" + format, pipe.run("detect", "-o", format).quietOutput());
    }

    @ParameterizedTest
    @ValueSource(strings = {"table", "wide", "json", "yaml", "csv", "name"})
    void detectPrintsEightGpusInEveryFormat(String format) {
        Golden.assertMatches(
                "detect-h100x8-" + format,
                pipe.run("detect", "--registry", MusterRun.H100X8, "-o", format).quietOutput());
    }

    @ParameterizedTest
    @ValueSource(ints = {60, 80, 120})
    void tablesDropColumnsToFitTheTerminal(int columns) {
        Golden.assertMatches(
                "detect-h100x8-" + columns + "-columns",
                MusterRun.onTerminal(columns)
                        .run("detect", "--registry", MusterRun.H100X8)
                        .quietOutput());
    }

    @ParameterizedTest
    @ValueSource(ints = {60, 80, 100, 140})
    void aBusyMachineIsShownWithLoadPowerLinksAndHealth(int columns) {
        Golden.assertMatches(
                "detect-hgx-" + columns + "-columns",
                MusterRun.onTerminal(columns)
                        .run("detect", "--registry", MusterRun.HGX)
                        .quietOutput());
    }

    @ParameterizedTest
    @ValueSource(strings = {"wide", "csv", "tsv"})
    void everyFactOfABusyMachineCanBeShown(String format) {
        Golden.assertMatches(
                "detect-hgx-" + format,
                pipe.run("detect", "--registry", MusterRun.HGX, "-o", format).quietOutput());
    }

    @Test
    void partitionsStandBelowTheirParent() {
        Golden.assertMatches(
                "detect-own-form-table",
                MusterRun.onTerminal(100)
                        .run("detect", "--registry", MusterRun.OWN)
                        .quietOutput());
    }

    @Test
    void aLaptopIsShown() {
        Golden.assertMatches(
                "detect-laptop",
                MusterRun.onTerminal(100)
                        .run("detect", "--registry", MusterRun.LAPTOP)
                        .quietOutput());
    }

    @Test
    void detectShowsWhatCouldNotBeLearned() {
        Golden.assertMatches(
                "detect-h100x7-gaps",
                pipe.run("detect", "--registry", MusterRun.H100X7).quietOutput());
    }

    @Test
    void colourIsUsedWhenAskedFor() {
        Golden.assertMatches(
                "detect-h100x7-color",
                pipe.run("detect", "--registry", MusterRun.H100X7, "--color", "always")
                        .quietOutput());
    }

    @Test
    void jsonIsIndentedForATerminal() {
        Golden.assertMatches(
                "detect-json-terminal",
                MusterRun.onTerminal(100).run("detect", "--json").quietOutput());
    }

    @Test
    void theReferenceFormIsWrittenWhenAskedFor() {
        Golden.assertMatches(
                "detect-reference", pipe.run("detect", "--reference").quietOutput());
    }

    @Test
    void theReferenceFormComesBackAsItWasRead() {
        String written = pipe.run("detect", "--registry", MusterRun.H100X8, "--reference")
                .quietOutput();

        assertThat(JsonValue.parse(written)).isEqualTo(JsonValue.parse(MusterRun.read(Path.of(MusterRun.H100X8))));
    }

    @ParameterizedTest
    @CsvSource({"--json, json", "--output=json, json", "-o=yaml, yaml"})
    void formatsHaveSeveralSpellings(String word, String format) {
        assertThat(pipe.run("detect", word).quietOutput())
                .isEqualTo(pipe.run("detect", "--output", format).quietOutput());
    }

    @Test
    void optionsMayStandBeforeTheCommand() {
        assertThat(pipe.run("--output", "json", "detect").quietOutput())
                .isEqualTo(pipe.run("detect", "--output", "json").quietOutput());
    }

    @Test
    void theDefaultCommandTakesOptionsToo() {
        assertThat(pipe.run("--json").quietOutput())
                .isEqualTo(pipe.run("detect", "--json").quietOutput());
    }

    @Test
    void fieldsHeaderAndUnitsAreTheCallersChoice() {
        assertThat(pipe.run(
                                "detect",
                                "--registry",
                                MusterRun.H100X8,
                                "--fields",
                                "id,memory,bandwidth",
                                "--no-header",
                                "--no-units")
                        .quietOutput())
                .startsWith("cpu:0   2015.5     –\ncuda:0    79.6  3352\n");
    }

    @Test
    void theWordThatMeansUnknownIsAsciiWhereTheLocaleIsNotUtf8() {
        Outcome outcome = pipe.withEnvironment("LANG", "C")
                .run("detect", "--registry", MusterRun.H100X8, "--fields", "id,numa", "--no-header");

        assertThat(outcome.quietOutput()).startsWith("cpu:0   -\ncuda:0  0\n");
    }

    @Test
    void requiringAnAcceleratorFailsWhereThereIsOnlyACpu() {
        Outcome outcome = pipe.run("detect", "--require-accelerator", "-o", "name");

        assertThat(outcome)
                .isEqualTo(
                        new Outcome(ExitCode.NO_ACCELERATOR, "cpu:0\n", "muster: no accelerator found, only a CPU\n"));
    }

    @Test
    void requiringAnAcceleratorPassesWhereThereIsOne() {
        pipe.run("detect", "--require-accelerator", "--registry", MusterRun.H100X8)
                .quietOutput();
    }

    @Test
    void aStrictRunFailsWhereSomethingCouldNotBeLearned() {
        Outcome outcome = pipe.withFiles(Map.of("/proc/meminfo", new HostAnswer.Unreadable<>("Input/output error")))
                .run("detect", "--strict", "-o", "name");

        assertThat(outcome.code()).isEqualTo(ExitCode.PARTIAL);
        assertThat(outcome.out()).isEqualTo("cpu:0\n");
    }

    @Test
    void aStrictRunPassesWhereEverythingIsKnown() {
        pipe.run("detect", "--strict").quietOutput();
    }

    @Test
    void aMachineThatSaysNothingStillHasAProcessor() {
        Golden.assertMatches(
                "detect-nothing-known", pipe.withFiles(Map.of()).run("detect").quietOutput());
    }

    @Test
    void versionNamesTheProgramAndItsJava() {
        Golden.assertMatches("version", pipe.run("version").quietOutput());
        Golden.assertMatches("version-json", pipe.run("version", "--json").quietOutput());
    }

    @ParameterizedTest
    @ValueSource(strings = {"--version", "-V"})
    void theVersionIsAlsoAnOption(String word) {
        assertThat(pipe.run(word).quietOutput()).isEqualTo("muster " + Version.TEXT + "\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"help", "--help", "-h"})
    void helpHasThreeSpellings(String word) {
        Golden.assertMatches("help", MusterRun.onTerminal(80).run(word).quietOutput());
    }

    static List<String> commandNames() {
        return new Commands("").names();
    }

    @ParameterizedTest
    @MethodSource("commandNames")
    void everyCommandHasHelpInTwoSpellings(String command) {
        MusterRun terminal = MusterRun.onTerminal(80);

        Golden.assertMatches("help-" + command, terminal.run("help", command).quietOutput());
        Golden.assertMatches("help-" + command, terminal.run(command, "--help").quietOutput());
    }

    @Test
    void helpIsGivenWhateverElseIsMissing() {
        assertThat(pipe.run("diff", "-h").quietOutput()).startsWith("muster diff:");
        assertThat(pipe.run("completion", "-h").quietOutput()).startsWith("muster completion:");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bash", "zsh", "fish"})
    void completionPrintsTheScript(String shell) {
        assertThat(pipe.run("completion", shell).quietOutput())
                .isEqualTo(CompletionScript.of(shell, new Commands("").specs()));
    }

    @Test
    void logsGoToStandardErrorAndDataDoesNot() {
        Outcome outcome = pipe.run("detect", "-o", "name", "--log-level", "debug");

        assertThat(outcome)
                .isEqualTo(new Outcome(ExitCode.OK, "cpu:0\n", "2026-11-15T08:30:00Z debug cpu: 1 devices, 0 gaps\n"));
    }

    @Test
    void logsCanBeJson() {
        Outcome outcome = pipe.run("detect", "-o", "name", "--log-level", "debug", "--log-format", "json");

        assertThat(outcome.err())
                .isEqualTo("{\"time\":\"2026-11-15T08:30:00Z\",\"level\":\"debug\","
                        + "\"message\":\"cpu: 1 devices, 0 gaps\"}\n");
    }
}
