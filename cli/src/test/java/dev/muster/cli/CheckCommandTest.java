// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.option.ExitCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CheckCommandTest {
    private static final String EIGHT = "--requirement gpu --count 8 --min-memory 70GiB --total-memory 600GiB";

    private final MusterRun pipe = MusterRun.inPipe();

    @Test
    void everyConditionThatHoldsIsALineAndTheExitCodeSaysYes() {
        Golden.assertMatches(
                "check-pass",
                check(MusterRun.H100X8, EIGHT + " --min-free 70GiB").quietOutput());
    }

    @Test
    void aPassingCheckAsJson() {
        Golden.assertMatches(
                "check-pass-json", check(MusterRun.H100X8, EIGHT + " --json").quietOutput());
    }

    @Test
    void aConditionThatDoesNotHoldIsALineAndTheExitCodeSaysNo() {
        Outcome outcome = check(MusterRun.H100X7, EIGHT + " --min-free 79GiB --link nvlink");

        assertThat(outcome.code()).isEqualTo(ExitCode.NO);
        assertThat(outcome.err()).isEmpty();
        Golden.assertMatches("check-fail", outcome.out());
    }

    @Test
    void aFailingCheckAsJson() {
        Outcome outcome = check(MusterRun.H100X7, EIGHT + " --json");

        assertThat(outcome.code()).isEqualTo(ExitCode.NO);
        assertThat(outcome.err()).isEmpty();
        Golden.assertMatches("check-fail-json", outcome.out());
    }

    @Test
    void aFailingCheckAsYaml() {
        Outcome outcome = check(MusterRun.H100X7, EIGHT + " -o yaml");

        assertThat(outcome.code()).isEqualTo(ExitCode.NO);
        Golden.assertMatches("check-fail-yaml", outcome.out());
    }

    @Test
    void withoutConditionsItAsksForAnyAccelerator() {
        assertThat(check(MusterRun.H100X8, "").quietOutput())
                .isEqualTo("PASS  count: 8 devices that satisfy 'any-accelerator', 1 required\n");
        assertThat(pipe.run("check"))
                .isEqualTo(new Outcome(
                        ExitCode.NO, "FAIL  count: 0 devices that satisfy 'any-accelerator', 1 required\n", ""));
    }

    @Test
    void linksAreTakenFromTheTopology() {
        assertThat(check(MusterRun.OWN, "--devices cuda:0,cuda:1 --requirement gpu --count 2 --link nvlink")
                        .quietOutput())
                .contains("PASS  link: 2 joined by nvlink, 2 required\n");
        assertThat(check(MusterRun.OWN, "--devices cuda:0,cuda:1 --requirement gpu --count 2 --link xgmi"))
                .satisfies(outcome -> assertThat(outcome.code()).isEqualTo(ExitCode.NO))
                .satisfies(outcome -> assertThat(outcome.out()).contains("FAIL  link: 0 joined by xgmi, 2 required\n"));
    }

    @Test
    void aRegistryWithoutTopologySaysSoWhereALinkIsAsked() {
        assertThat(check(MusterRun.H100X8, "--link nvlink").out())
                .contains("FAIL  link: 0 joined by nvlink (the registry holds no topology), 1 required\n");
    }

    @Test
    void moreMemoryThanANumberHoldsIsEnough() {
        String huge = """
                {"profiles":[
                {"accelerator":{"CudaGpu":{"device_id":0}},"available":true,"memory_bytes":18446744073709551615},
                {"accelerator":{"CudaGpu":{"device_id":1}},"available":true,"memory_bytes":18446744073709551615}]}
                """;

        Outcome outcome = pipe.withStdin(huge).run("check", "--registry", "-", "--total-memory", "1GiB");

        assertThat(outcome.code()).isEqualTo(ExitCode.OK);
        assertThat(outcome.out()).contains("PASS  total-memory");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
                    --count x          | --count is an integer from 0 to 999999, not 'x'; see 'muster help'
                    --count -1         | --count is an integer from 0 to 999999, not '-1'; see 'muster help'
                    --count 1.5        | --count is an integer from 0 to 999999, not '1.5'; see 'muster help'
                    --count 9999999    | --count is an integer from 0 to 999999, not '9999999'; see 'muster help'
                    --count ٣          | --count is an integer from 0 to 999999, not '٣'; see 'muster help'
                    --count=           | --count is an integer from 0 to 999999, not ''; see 'muster help'
                    --requirement gpuu | unknown requirement 'gpuu'; did you mean gpu?
                    --requirement tpu:x| unknown requirement 'tpu:x'; requirements are none, gpu, gaudi, aws-neuron, \
                    gpu-or-tpu, any-accelerator, tpu and tpu:CHIPS; see 'muster help'
                    --link ethernet    | --link is one of nvlink, nvlink-c2c, xgmi, xe-link, ici, neuron-link, \
                    accelerator-ethernet, not 'ethernet'; see 'muster help'
                    --min-memory lots  | --min-memory: 'lots' is not a memory size; write a number with KiB, MiB, GiB or TiB, \
                    as in 80GiB; see 'muster help'
                    --min-free 99999999999999TiB | --min-free: '99999999999999TiB' is out of range: at most 2^64-1 bytes; \
                    see 'muster help'
                    -o csv             | --output is one of table, json, yaml, not 'csv'; see 'muster help'
                    --json -o json     | give either --json or --output, not both; see 'muster help'
                    """)
    void conditionsThatMakeNoSenseAreRefused(String words, String sentence) {
        check(MusterRun.H100X8, words).assertRefused(ExitCode.USAGE, "muster: " + sentence);
    }

    private Outcome check(String registry, String words) {
        return pipe.run(("check --registry " + registry + " " + words).strip().split(" +"));
    }
}
