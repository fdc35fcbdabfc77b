// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.option.ExitCode;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WhatIfOptionsTest {
    private static final String TWO_HOSTS = "2x[h100-sxm:8 nvswitch ib:8x400]";

    private final MusterRun pipe = MusterRun.inPipe();

    @Test
    void removingEveryDeviceOfADocumentWithoutACpuLeavesTheProcessorOfTheHost() {
        String document = """
                {"schema_version":3,"profiles":[{"accelerator":{"CudaGpu":{"device_id":0}},"available":true,
                "memory_bytes":25769803776,"compute_capability":null,"driver_version":null}],"system_io":{}}
                """;

        MusterRun given = MusterRun.inPipe().withStdin(document);

        assertThat(given.run("devices", "--registry", "-", "--remove", "0", "-o", "csv", "--fields", "id,memory")
                        .out())
                .isEqualTo("id,memoryTotalBytes\ncpu:0,\n");
        // ai-hwaccel has no unknown memory: it takes 16 GiB for a host that it cannot read.
        assertThat(given.run("detect", "--registry", "-", "--remove", "0", "--reference")
                        .out())
                .contains("\"accelerator\":\"Cpu\"", "\"memory_bytes\":17179869184");
    }

    /// If all hosts are in one registry, none of their devices is said to be on each host.
    @Test
    void devicesOfTwoHostsAreNamedOnce() {
        List<String> plan = List.of("plan", "llama-3.1-70b", "--concurrency", "64");
        assertThat(pipe.run(with(plan, "--synthetic", TWO_HOSTS)).out())
                .contains(" 16 of 16 x H100 SXM5 80GB (cuda:0-7,8-15): ");
        assertThat(pipe.run(with(plan, "--hosts", "2", "--synthetic", "h100-sxm:8 nvswitch ib:8x400"))
                        .out())
                .contains(" 16 of 16 x H100 SXM5 80GB (cuda:0-7 of each host): ");
    }

    private static List<String> with(List<String> words, String... more) {
        return Stream.concat(words.stream(), Stream.of(more)).toList();
    }

    @Test
    void aMadeUpHostAsATable() {
        golden("what-if-synthetic", ExitCode.OK, "detect", "--synthetic", "h100-sxm:8 nvswitch numa:2 cpu:2TiB");
    }

    @Test
    void aMadeUpHostAsJsonSaysWhereItsFiguresAreFrom() {
        golden("what-if-synthetic-json", ExitCode.OK, "detect", "--json", "--synthetic", "l4:1 cpu:64GiB");
    }

    @Test
    void theTopologyOfMadeUpHosts() {
        golden("what-if-topology", ExitCode.OK, "topology", "--synthetic", TWO_HOSTS, "--width", "200");
    }

    @Test
    void theTreeOfMadeUpHosts() {
        golden(
                "what-if-topology-tree",
                ExitCode.OK,
                "topology",
                "--tree",
                "--synthetic",
                "[mi300x:4 numa:2 cpu:1TiB] [l4:2]");
    }

    @Test
    void aCheckOfMadeUpHosts() {
        golden(
                "what-if-check",
                ExitCode.OK,
                "check",
                "--synthetic",
                TWO_HOSTS,
                "--requirement",
                "gpu",
                "--count",
                "8",
                "--min-memory",
                "70GiB",
                "--link",
                "nvlink");
    }

    @Test
    void devicesAddedToASavedRegistry() {
        golden("what-if-add", ExitCode.OK, "detect", "--registry", MusterRun.H100X7, "--add", "h100-sxm,l4:2");
    }

    @Test
    void devicesRemovedFromASavedRegistry() {
        golden("what-if-remove", ExitCode.OK, "topology", "--registry", MusterRun.HGX, "--remove", "2,4-8");
    }

    @Test
    void acceleratorsOfASavedRegistryReplaced() {
        golden("what-if-replace", ExitCode.OK, "detect", "--registry", MusterRun.HGX, "--replace", "mi300x:2");
    }

    @Test
    void aLostDeviceAsADifference() {
        golden(
                "what-if-diff",
                ExitCode.NO,
                "diff",
                MusterRun.OWN,
                "--registry",
                MusterRun.OWN,
                "--remove",
                "cuda:0",
                "--add",
                "l4");
    }

    @Test
    void aDetectionCanBeChangedToo() {
        Outcome outcome = pipe.run("devices", "--add", "l4:2", "-o", "name");

        assertThat(outcome.out()).isEqualTo("cpu:0\ncuda:0\ncuda:1\n");
        assertThat(outcome.err()).isEqualTo("muster: hypothetical: 2 x l4 added\n");
        assertThat(pipe.run("detect", "--timing", "--add", "l4:2", "-o", "name").out())
                .isEqualTo(outcome.out());
    }

    @Test
    void watchSaysItOnce() {
        Outcome outcome = pipe.withPause((Duration _) -> true)
                .run("watch", "--count", "2", "--synthetic", "l4:2", "--remove", "cuda:0");

        assertThat(outcome.err()).isEqualTo("muster: hypothetical: 1 host with 2 x L4 (synthetic); 1 device removed\n");
        assertThat(outcome.out()).contains("cuda:1").doesNotContain("cuda:0");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            --add@h1O0-sxm:8          | --add: character 1: unknown device 'h1O0-sxm'; did you mean h100-sxm?
            --replace@l4:0           | --replace: character 4: the count of l4 is a number from 1 to 1024, not '0'; \
            see 'muster help'
            --synthetic@2x[l4:8      | --synthetic: character 3: this bracket is not closed; write ] behind the host; \
            see 'muster help'
            --synthetic@12288x[l4:8] | --synthetic: character 1: the count of hosts is a number from 1 to 512, not \
            '12288'; for more hosts of one kind, describe one and give their number with --hosts (plan, train, mesh plan); see \
            'muster help'
            --remove@3-1             | --remove: the range '3-1' runs backwards; write 1-3; see 'muster help'
            --replace@l4@--add@l4    | --add does not apply: --replace replaces all accelerators; \
            see 'muster help'
            --replace@l4@--remove@0  | --remove does not apply: --replace replaces all accelerators; \
            see 'muster help'
            --synthetic@l4@--registry@x | --registry does not apply: --synthetic describes the machine; \
            see 'muster help'
            --synthetic@l4@--host@x  | --host does not apply: --synthetic describes the machine; \
            see 'muster help'
            --synthetic@l4@--no-exec | --no-exec does not apply: --synthetic describes the machine; \
            see 'muster help'
            --synthetic@l4@--timing  | --timing applies to detection, not to --synthetic; see 'muster help'
            --add@l4@--registry@x@--add=l4 | option --add is given twice; see 'muster help'
            doctor@--add@l4          | --add does not apply: doctor examines a host as it is; \
            see 'muster help'
            capture@--synthetic@l4   | --synthetic does not apply: capture records a host as it is; \
            see 'muster help'
            diff@a@b@--remove@0      | --remove does not apply: diff compares A and B as they are; \
            see 'muster help'
            """)
    void whatMakesNoSenseIsRefusedBeforeAnythingIsRead(String words, String sentence) {
        pipe.run(List.of(words.split("@"))).assertRefused(ExitCode.USAGE, "muster: " + sentence);
    }

    @Test
    void aDeviceThatIsNotThereCannotGo() {
        pipe.run("detect", "--remove", "0,h200")
                .assertRefused(ExitCode.NO, "muster: --remove: no device matches 'h200'; the registry has 1 device");
    }

    @Test
    void controlCharactersDoNotReachTheTerminal() {
        pipe.run("detect", "--add", "l4:\u001b[2J")
                .assertRefused(
                        ExitCode.USAGE,
                        "muster: --add: character 4: the count of l4 is a number from 1 to 1024, not '?'; "
                                + "see 'muster help'");
    }

    /// Standard output, and below it what standard error says.
    private void golden(String name, int code, String... words) {
        Outcome outcome = pipe.run(words);

        assertThat(outcome.code()).isEqualTo(code);
        Golden.assertMatches(name, outcome.out() + "--- stderr\n" + outcome.err());
    }
}
