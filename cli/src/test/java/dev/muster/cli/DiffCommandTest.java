// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.option.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiffCommandTest {
    private final MusterRun pipe = MusterRun.inPipe();

    @Test
    void showsADriverChangeAndAMissingGpu() {
        Outcome outcome = pipe.run("diff", MusterRun.H100X8, MusterRun.H100X7);

        assertThat(outcome.code()).isEqualTo(ExitCode.NO);
        assertThat(outcome.err()).isEmpty();
        Golden.assertMatches("diff-h100", outcome.out());
    }

    @Test
    void showsItAsJson() {
        Outcome outcome = pipe.run("diff", MusterRun.H100X8, MusterRun.H100X7, "--json");

        assertThat(outcome.code()).isEqualTo(ExitCode.NO);
        assertThat(outcome.err()).isEmpty();
        Golden.assertMatches("diff-h100-json", outcome.out());
    }

    @Test
    void showsPassingFactsWhenAsked() {
        Outcome outcome = pipe.run("diff", "--all", MusterRun.H100X8, MusterRun.H100X7);

        assertThat(outcome.code()).isEqualTo(ExitCode.NO);
        Golden.assertMatches("diff-h100-all", outcome.out());
    }

    @Test
    void showsTheWayBack() {
        Outcome outcome = pipe.run("diff", MusterRun.H100X7, MusterRun.H100X8, "-o", "yaml");

        assertThat(outcome.code()).isEqualTo(ExitCode.NO);
        Golden.assertMatches("diff-h100-back-yaml", outcome.out());
    }

    @Test
    void aRegistryDoesNotDifferFromItself() {
        assertThat(pipe.run("diff", MusterRun.H100X8, MusterRun.H100X8).quietOutput())
                .isEqualTo("No differences.\n");
        assertThat(pipe.run("diff", MusterRun.OWN, MusterRun.OWN, "--json").quietOutput())
                .isEqualTo("{\"schema\":1,\"kind\":\"difference\",\"changes\":[]}\n");
    }

    @Test
    void theFormOfADocumentIsNoDifference(@TempDir Path folder) throws IOException {
        Path own = Files.writeString(
                folder.resolve("own.json"),
                pipe.run("detect", "--registry", MusterRun.H100X8, "--json").quietOutput());

        assertThat(pipe.run("diff", MusterRun.H100X8, own.toString()).quietOutput())
                .isEqualTo("No differences.\n");
    }

    @Test
    void aSavedRegistryIsComparedWithThisMachine(@TempDir Path folder) throws IOException {
        Path box = Files.writeString(
                folder.resolve("box.json"), pipe.run("detect", "--json").quietOutput());

        assertThat(pipe.run("diff", box.toString()).quietOutput()).isEqualTo("No differences.\n");
    }

    @Test
    void theSecondMayBeNamedByTheOptionThatEveryCommandHas() {
        assertThat(pipe.run("diff", MusterRun.H100X8, "--registry", MusterRun.H100X7))
                .isEqualTo(pipe.run("diff", MusterRun.H100X8, MusterRun.H100X7));
    }

    @Test
    void oneOfTheTwoMayComeFromStandardInput() {
        MusterRun run = pipe.withStdin(MusterRun.read(Path.of(MusterRun.H100X8)));

        assertThat(run.run("diff", "-", MusterRun.H100X8).quietOutput()).isEqualTo("No differences.\n");
    }

    @Test
    void refusesWhatItCannotCompare() {
        pipe.run("diff")
                .assertRefused(
                        ExitCode.USAGE,
                        "muster: diff needs a registry file to start from: muster diff A [B]; see 'muster help'");
        pipe.run("diff", "--registry", MusterRun.H100X8, MusterRun.H100X8, MusterRun.H100X8)
                .assertRefused(
                        ExitCode.USAGE,
                        "muster: diff compares A with B or with --registry, not with both; see 'muster help'");
        pipe.run("diff", "a", "b", "c")
                .assertRefused(ExitCode.USAGE, "muster: unexpected argument 'c'; see 'muster help'");
        pipe.run("diff", MusterRun.H100X8, "-o", "name")
                .assertRefused(
                        ExitCode.USAGE, "muster: --output is one of table, json, yaml, not 'name'; see 'muster help'");
    }
}
