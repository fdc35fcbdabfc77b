// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.option.ExitCode;
import dev.muster.core.json.JsonValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `fleet plan` and `plan --fleet`.
class FleetPlanCommandTest {
    private static final String MADE_UP = "synthetic:40xh100-sxm:8,10xmi300x:4,seed=3";

    private final MusterRun pipe = MusterRun.inPipe();

    private static JsonValue parsed(String json) {
        return JsonValue.parse(json.getBytes(StandardCharsets.UTF_8));
    }

    private static List<String> hosts(String json) {
        List<String> names = new ArrayList<>();
        parsed(json).requireItems("hosts").forEach(host -> names.add(host.requireText("name")));
        return names;
    }

    private void assertRefused(int code, String reason, String... words) {
        Outcome outcome = pipe.run(words);
        String line = String.join(" ", words);
        assertThat(outcome.code()).as(line).isEqualTo(code);
        assertThat(outcome.out()).as(line).isEmpty();
        assertThat(outcome.err().lines()).as(line).hasSize(1);
        assertThat(outcome.err()).as(line).contains(reason).doesNotContain("Exception");
    }

    @Test
    void hostsForAModelAreNamed() {
        Golden.assertMatches(
                "fleet-plan",
                pipe.run("fleet", "plan", "llama-3.1-70b", "--source", MADE_UP, "--concurrency", "16")
                        .quietOutput());
    }

    @Test
    void planOverAFleetIsTheSame() {
        String asked = pipe.run("fleet", "plan", "llama-3.1-70b", "--source", MADE_UP, "--json")
                .quietOutput();
        assertThat(pipe.run("plan", "llama-3.1-70b", "--fleet", MADE_UP, "--json")
                        .quietOutput())
                .isEqualTo(asked);
        assertThat(parsed(asked).requireText("kind")).isEqualTo("fleet-plan");
        assertThat(hosts(asked)).hasSize(1);
        assertThat(parsed(asked).requireItems("refused")).isNotEmpty();
    }

    @Test
    void severalModelsAreCounted() {
        Golden.assertMatches(
                "fleet-plan-capacity",
                pipe.run("fleet", "plan", "llama-3.1-8b", "llama-3.1-70b", "--source", MADE_UP)
                        .quietOutput());
        assertRefused(
                ExitCode.USAGE,
                "several models are only counted, not placed",
                "fleet",
                "plan",
                "llama-3.1-8b",
                "qwen3-32b",
                "--source",
                MADE_UP,
                "--emit",
                "slurm");
    }

    @Test
    void whatIsEmittedNamesTheHosts() {
        String model = "llama-3.1-405b";
        List<String> hosts =
                hosts(pipe.run("plan", model, "--fleet", MADE_UP, "--json").out());
        assertThat(hosts).hasSize(2);
        assertThat(pipe.run("plan", model, "--fleet", MADE_UP, "--emit", "slurm")
                        .out())
                .startsWith("#!/bin/sh\n")
                .contains("#SBATCH --nodelist=" + String.join(",", hosts) + "\n")
                .contains("#SBATCH --nodes=" + hosts.size() + "\n");
        assertThat(pipe.run("plan", model, "--fleet", MADE_UP, "--emit", "kubernetes")
                        .out())
                .contains("kind: LeaderWorkerSet", "matchFields:", "key: metadata.name")
                .contains(hosts);
    }

    @Test
    void whatIsEmittedServesAsManyAsFit() {
        Outcome outcome = pipe.run("plan", "llama-3.1-70b", "--fleet", MADE_UP, "--emit", "slurm");
        assertThat(outcome.out()).contains("--max-num-seqs 256");
        assertThat(outcome.err()).contains("planned for 256 sequences of 4096 tokens at once");
        assertThat(pipe.run("plan", "llama-3.1-70b", "--fleet", MADE_UP, "--emit", "slurm", "--concurrency", "3")
                        .out())
                .contains("--max-num-seqs 3");
    }

    @Test
    void whatFitsNowhereSaysWhatWould() {
        Outcome outcome = pipe.run("plan", "deepseek-v3", "--fleet", "synthetic:9xl4:1,seed=1");
        assertThat(outcome.code()).isEqualTo(ExitCode.NO);
        assertThat(outcome.out()).contains("it does not fit", "remedy");
        assertRefused(
                ExitCode.NO,
                "the model does not fit",
                "plan",
                "deepseek-v3",
                "--fleet",
                "synthetic:9xl4:1,seed=1",
                "--emit",
                "slurm");
    }

    @Test
    void tooManyHostsAreNotAModelThatDoesNotFit() {
        Outcome outcome = pipe.run("fleet", "plan", "llama-3.1-8b", "--source", MADE_UP, "--hosts", "99");
        assertThat(outcome.code()).isEqualTo(ExitCode.NO);
        assertThat(outcome.out())
                .contains("99 hosts with 8 x H100 SXM5 80GB are requested, and 11 are free")
                .doesNotContain("does not fit");
        assertRefused(
                ExitCode.NO,
                "ask for fewer hosts",
                "fleet",
                "plan",
                "llama-3.1-8b",
                "--source",
                MADE_UP,
                "--hosts",
                "99",
                "--emit",
                "slurm");
    }

    @Test
    void whyNoHostCanBeUsedIsSaid() {
        assertRefused(
                ExitCode.NO,
                "50 hosts (not in partition none)",
                "plan",
                "llama-3.1-8b",
                "--fleet",
                "synthetic:50xh100-sxm:8,seed=5",
                "--partition",
                "none");
    }

    @Test
    void sourcesThatCannotBeReadAreOneSentence(@TempDir Path folder) throws IOException {
        String noise =
                "file:" + Files.write(folder.resolve("noise"), new byte[] {(byte) 0xfe, 0, 1, 2, 3, (byte) 0xff});
        String cut = "file:" + Files.writeString(folder.resolve("cut.json"), "{\"schema\":1,");
        String other = "file:" + Files.writeString(folder.resolve("other.json"), "{\"a\":1}");
        String empty = "file:" + Files.createDirectory(folder.resolve("empty"));
        for (String source : List.of("file:" + folder.resolve("none"), noise, cut, other, empty)) {
            assertRefused(ExitCode.NO, "no source could be read: file:", "plan", "llama-3.1-8b", "--fleet", source);
            assertRefused(
                    ExitCode.NO, "no source could be read: file:", "fleet", "plan", "llama-3.1-8b", "--source", source);
        }
        assertRefused(ExitCode.NO, "scontrol is not installed here", "plan", "llama-3.1-8b", "--fleet", "slurm");
    }

    @Test
    void whatMakesNoSenseIsRefused() {
        assertRefused(
                ExitCode.USAGE,
                "--fleet 'slurn' does not start with a known scheme",
                "plan",
                "llama-3.1-8b",
                "--fleet",
                "slurn");
        assertRefused(
                ExitCode.USAGE, "--fleet 'http://n1' does not start", "plan", "llama-3.1-8b", "--fleet", "http://n1");
        assertRefused(ExitCode.USAGE, "--source 'slurn'", "fleet", "plan", "llama-3.1-8b", "--source", "slurn");
        assertRefused(ExitCode.USAGE, "'nosuch' is not a known model", "fleet", "plan", "nosuch", "--source", MADE_UP);
        assertRefused(ExitCode.USAGE, "needs a model", "fleet", "plan", "--source", MADE_UP);
        assertRefused(ExitCode.USAGE, "--hosts", "fleet", "plan", "llama-3.1-8b", "--source", MADE_UP, "--hosts", "0");
        assertRefused(
                ExitCode.USAGE, "--emit is one of", "plan", "llama-3.1-8b", "--fleet", MADE_UP, "--emit", "nothing");
        assertRefused(
                ExitCode.USAGE,
                "two sources are called",
                "plan",
                "llama-3.1-8b",
                "--fleet",
                MADE_UP,
                "--fleet",
                MADE_UP);
        assertRefused(ExitCode.USAGE, "add --fleet", "plan", "llama-3.1-8b", "--partition", "gpu");
    }

    @Test
    void aDeadSourceBesideALiveOneIsNamed(@TempDir Path folder) {
        Outcome outcome =
                pipe.run("plan", "llama-3.1-8b", "--fleet", MADE_UP, "--fleet", "file:" + folder.resolve("none"));
        assertThat(outcome.code()).isEqualTo(ExitCode.OK);
        assertThat(outcome.err()).contains("could not be read: file:").contains("file not found");
        assertThat(outcome.out()).contains("hosts");
    }
}
