// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.fleet.FleetCommand;
import dev.muster.cli.option.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FleetCommandTest {
    private static final String MADE_UP = "synthetic:40xh100-sxm:8,10xmi300x:4,seed=3";

    private final MusterRun pipe = MusterRun.inPipe();

    @Test
    void listsHosts() {
        Golden.assertMatches(
                "fleet-list", pipe.run("fleet", "list", "--source", MADE_UP).quietOutput());
    }

    @Test
    void groupsHosts() {
        Golden.assertMatches(
                "fleet-list-by-kind",
                pipe.run("fleet", "list", "--source", MADE_UP, "--group-by", "kind")
                        .quietOutput());
    }

    @Test
    void filtersLeaveWhatMatches() {
        String names = pipe.run("fleet", "list", "--source", MADE_UP, "--kind", "mi300x", "--free", "-o", "name")
                .quietOutput();
        assertThat(names.lines()).isNotEmpty().allMatch(name -> name.startsWith("mi300x-"));
        assertThat(pipe.run("fleet", "list", "--source", MADE_UP, "--partition", "none")
                        .code())
                .isEqualTo(ExitCode.NO);
    }

    @Test
    void topologyNamesSwitches() {
        assertThat(pipe.run("fleet", "topology", "--source", MADE_UP).quietOutput())
                .contains("leaf leaf0: h100-sxm-[01-32] (32 hosts, 256 devices, ");
    }

    @Test
    void checkSaysWhichHostsFail() {
        Outcome outcome = pipe.run("fleet", "check", "--source", MADE_UP, "--count", "8");
        assertThat(outcome.code()).isEqualTo(ExitCode.NO);
        assertThat(outcome.out()).contains("FAIL  10 hosts: mi300x-[01-10]: count: 4 devices");
        assertThat(pipe.run("fleet", "check", "--source", MADE_UP, "--count", "3")
                        .code())
                .isEqualTo(ExitCode.OK);
    }

    @Test
    void savedFleetsAreReadAndCompared(@TempDir Path folder) throws IOException {
        Path saved = Files.writeString(
                folder.resolve("a.json"),
                pipe.run("fleet", "list", "--source", MADE_UP, "-o", "json").quietOutput());
        Path other = Files.writeString(
                folder.resolve("b.json"),
                pipe.run("fleet", "list", "--source", MADE_UP, "-o", "json", "--kind", "h100")
                        .quietOutput());
        assertThat(pipe.run("fleet", "diff", saved.toString(), saved.toString()).quietOutput())
                .isEqualTo("No differences.\n");
        Outcome difference = pipe.run("fleet", "diff", saved.toString(), other.toString());
        assertThat(difference.code()).isEqualTo(ExitCode.NO);
        assertThat(difference.out().lines()).hasSize(10).allMatch(line -> line.startsWith("- host mi300x-"));
        assertThat(pipe.run("fleet", "list", "--source", "file:" + saved, "-o", "name")
                        .quietOutput()
                        .lines())
                .hasSize(50);
    }

    @Test
    void oneHostAFileIsAFleet(@TempDir Path folder) throws IOException {
        Files.copy(Path.of(MusterRun.H100X8), folder.resolve("n1.json"));
        Files.copy(Path.of(MusterRun.H100X7), folder.resolve("n2.json"));
        Files.writeString(folder.resolve("n3.json"), "no registry");
        Outcome outcome = pipe.run("fleet", "list", "--source", "file:" + folder, "-o", "csv", "--strict");
        assertThat(outcome.code()).isEqualTo(ExitCode.PARTIAL);
        assertThat(outcome.out()).contains("\nn1,").contains("\nn2,").doesNotContain("n3");
        assertThat(outcome.err()).contains("n3.json");
        assertThat(pipe.run("fleet", "list", "--source", "file:" + folder).out())
                .endsWith("; 0 ready, 0 draining, 0 down, 2 unknown\n");
    }

    @Test
    void anEmptyFileIsCalledEmpty(@TempDir Path folder) throws IOException {
        Path empty = Files.createFile(folder.resolve("empty"));
        assertThat(pipe.run("fleet", "list", "--source", "file:" + empty).err()).endsWith(": the file is empty\n");
    }

    @Test
    void theStateOfMadeUpHostsFollowsFromTheirJobs() {
        String hosts =
                pipe.run("fleet", "list", "--source", MADE_UP, "-o", "csv").quietOutput();
        assertThat(hosts.lines()).anyMatch(line -> line.contains(",8,8,IDLE,"));
        assertThat(hosts.lines()).noneMatch(line -> line.contains(",8,8,MIXED,"));
        assertThat(hosts.lines()).anyMatch(line -> line.contains(",8,0,ALLOCATED,"));
    }

    @Test
    void deadSourcesAreNamed(@TempDir Path folder) {
        String gone = "file:" + folder.resolve("gone.json");
        Outcome outcome = pipe.run("fleet", "list", "--source", MADE_UP, "--source", gone, "--strict");
        assertThat(outcome.code()).isEqualTo(ExitCode.PARTIAL);
        assertThat(outcome.err()).contains("file not found");
        assertThat(outcome.out()).contains("50 hosts");
        Outcome alone = pipe.run("fleet", "list", "--source", gone);
        assertThat(alone.code()).isEqualTo(ExitCode.NO);
        assertThat(alone.err()).contains("no source could be read");
    }

    @Test
    void aClusterThatIsNotThereIsNamedAndTheOthersGoOn() {
        Outcome outcome = pipe.run("fleet", "list", "--source", "kubernetes", "--source", MADE_UP);
        assertThat(outcome.code()).isEqualTo(ExitCode.OK);
        assertThat(outcome.out()).contains("50 hosts");
        assertThat(outcome.err().lines())
                .singleElement()
                .asString()
                .startsWith("muster: source kubernetes could not be read: kubernetes: no kubeconfig at");
        Outcome alone = pipe.run("fleet", "list", "--source", "kubernetes:prod");
        assertThat(alone.code()).isEqualTo(ExitCode.NO);
        assertThat(alone.err()).startsWith("muster: no source could be read: kubernetes: no kubeconfig");
    }

    @Test
    void optionsOfOneMachineAreRefused() {
        for (String word : new String[] {"list", "devices", "topology", "check"}) {
            for (String option : new String[] {"--registry", "--synthetic", "--add", "--host"}) {
                Outcome outcome = pipe.run("fleet", word, option, "h100-sxm:8");
                assertThat(outcome.code()).as(word + option).isEqualTo(ExitCode.USAGE);
                assertThat(outcome.err()).contains(option + " does not apply: a fleet is read from its sources");
            }
        }
        assertThat(pipe.run("fleet", "diff", "a.json", "b.json", "--registry", "c.json")
                        .code())
                .isEqualTo(ExitCode.USAGE);
    }

    @Test
    void helpOffersNoOptionOfOneMachine() {
        for (String word : new FleetCommand().words()) {
            String help = pipe.run("fleet", word, "--help").quietOutput();
            assertThat(help).as(word).doesNotContain("Machine options");
            assertThat(help.split("--timeout ", -1)).as(word).hasSizeLessThanOrEqualTo(2);
        }
    }

    @Test
    void whatIsNoSourceIsRefusedInOneSentence() {
        for (String source : new String[] {"slurn", "synthetic:x", "file:", "slurm:nowhere", "synthetic:1xnothing:8"}) {
            Outcome outcome = pipe.run("fleet", "list", "--source", source);
            assertThat(outcome.code()).as(source).isEqualTo(ExitCode.USAGE);
            assertThat(outcome.err().lines()).as(source).hasSize(1);
        }
        assertThat(pipe.run("fleet").code()).isEqualTo(ExitCode.USAGE);
    }
}
