// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.option.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `muster plan` under load.
class DeploymentOptionsTest {
    private final MusterRun pipe = MusterRun.inPipe();
    private final MusterRun terminal = MusterRun.onTerminal(130);

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            plan-load-users | --users 32 --ttft p99=1s --tpot p99=30ms --synthetic [h100-sxm:4,nvswitch]
            plan-load-pareto | --rate 6/s --ttft 300ms --goal cost --pareto --synthetic [h100-sxm:2,nvswitch]
            plan-load-missed | --users 64 --ttft mean=200ms,p99=400ms --tpot 20ms --engine sglang --synthetic l40s:2
            """)
    void forPeople(String golden, String words) {
        Golden.assertMatches(golden, run(terminal, "plan llama-3.1-8b " + words).out());
    }

    @Test
    void theFrontIsDrawn(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("front.svg");
        Outcome outcome = run(pipe, "plan llama-3.1-8b --users 8 --ttft 2s --synthetic h100-sxm:2 --svg " + file);
        assertThat(outcome.code()).isZero();
        assertThat(Files.readString(file))
                .contains("llama-3.1-8b with 8 users", "tokens per second of each user", "chosen");
    }

    @Test
    void whatStartsItHasTheOptions() {
        assertThat(run(pipe, "plan llama-3.1-8b --users 8 --ttft 2s --synthetic h100-sxm:1 --emit vllm")
                        .out())
                .contains("--max-num-batched-tokens 8192", "--max-num-seqs 1024");
        assertThat(run(pipe, "plan llama-3.1-8b --users 8 --ttft 2s --synthetic h100-sxm:1 --emit sglang")
                        .out())
                .contains("--chunked-prefill-size 8192");
        assertThat(run(
                                pipe,
                                "plan llama-3.1-8b --users 8 --ttft 2s --synthetic h100-sxm:1 --emit vllm"
                                        + " --engine-options max-num-seqs=16")
                        .out())
                .contains("--max-num-seqs 16");
    }

    @Test
    void whatMissesATargetIsNotStarted() {
        Outcome outcome = run(pipe, "plan llama-3.1-8b --users 64 --ttft 50ms --synthetic h100-sxm:1 --emit vllm");
        assertThat(outcome.code()).isEqualTo(ExitCode.NO);
        assertThat(outcome.err()).contains("no deployment meets the targets");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            --ttft 1s | --ttft does not apply: it is part of a load; add --users, --rate, --burst or --trace
            --users 4 --ttft p95=1s | --ttft must be 1 to 8 of: p50, p90, p99 or mean and a time, such as p99=800ms, not 'p95=1s'
            --users 4 --tpot p99= | --tpot must be
            --users 4 --goal energy | planned for devices, cost, throughput or latency, not for energy
            --users 4 --max-tpot 1s | under load, limits are statistics over all requests; use --ttft and --tpot
            --users 4 --concurrency 3 | --concurrency does not apply: the load determines the number of sequences
            --users 4 --context 3000 | under load, prompts have --input and answers --generate tokens
            --users 4 --explain | --explain does not apply
            --users 4 --engine-options max-seqs=3 | no option 'max-seqs' of a scheduler is known
            --users 4 --rate 3 | give one load: --users, --rate or --burst
            """)
    void badInputIsRefusedInOneSentence(String words, String sentence) {
        Outcome outcome = run(pipe, "plan llama-3.1-8b --synthetic l40s:1 " + words);
        assertThat(outcome.code()).isEqualTo(ExitCode.USAGE);
        assertThat(outcome.err()).contains(sentence).doesNotContain("Exception");
    }

    @Test
    void aModelThatDoesNotFitSaysWhatWould() {
        Outcome outcome = run(pipe, "plan llama-3.1-70b --users 4 --tpot 30ms --synthetic l40s:1");
        assertThat(outcome.code()).isNotZero();
        assertThat(outcome.err()).contains("no replica fits on the devices; ");
    }

    private static Outcome run(MusterRun muster, String words) {
        return muster.run(words.split(" "));
    }
}
