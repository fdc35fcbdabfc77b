// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.option.ExitCode;
import dev.muster.plan.ask.Parameters;
import dev.muster.plan.serving.SimulationRequest.Router;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `simulate` as table, as JSON, as picture and in its errors.
class SimulateCommandTest {
    private static final String TRACE = "src/test/resources/fixtures/model/requests__synthetic.csv";

    private final MusterRun pipe = MusterRun.inPipe();
    private final MusterRun terminal = MusterRun.onTerminal(100);

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            simulate-users | simulate llama-3.1-8b --users 64 --lengths 0.8 --warm-up 0 --synthetic h100-sxm:1
            simulate-rate | simulate qwen3-32b --rate 4/s --slo ttft=400ms,tpot=30ms --engine sglang --synthetic [h100-sxm:2,nvswitch]
            simulate-burst | simulate llama-3.1-8b --burst 40 --engine llama.cpp --quant q8_0 --synthetic rtx-4090:1
            simulate-apart | simulate llama-3.1-8b --users 32 --replicas 4 --decode-replicas 2 --router least-loaded --speculative 3:0.7 --prefix-hit 0.5 --engine tensorrt-llm --synthetic [h100-sxm:4,nvswitch]
            """)
    void forPeople(String golden, String words) {
        Golden.assertMatches(golden, run(terminal, words).out());
    }

    @Test
    void aTraceIsReplayedAsItWas() {
        Golden.assertMatches(
                "simulate-trace",
                run(terminal, "simulate llama-3.1-8b --synthetic h100-sxm:1 --trace " + TRACE)
                        .out());
    }

    @Test
    void forMachines() {
        Outcome outcome = run(
                pipe,
                "simulate llama-3.1-8b --json --burst 3 --engine-options max-num-seqs=2 --slo tpot=1s"
                        + " --synthetic l40s:1");
        Golden.assertMatches("simulate-json", outcome.out());
        assertThat(outcome.code()).isZero();
    }

    @Test
    void onePictureHasTheCurvesAndTheKnee(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("load.svg");
        Outcome outcome = run(pipe, "simulate llama-3.1-8b --users 16 --synthetic h100-sxm:1 --svg " + file);
        assertThat(outcome.code()).isZero();
        assertThat(outcome.out()).contains("knee");
        assertThat(Files.readString(file))
                .contains("llama-3.1-8b under load", "TTFT", "TPOT", "output tokens per second", "knee at");
    }

    @Test
    void missedTargetsAreSaidByTheExitCode() {
        assertThat(run(pipe, "simulate llama-3.1-8b --users 64 --slo ttft=1ms --synthetic h100-sxm:1")
                        .code())
                .isEqualTo(ExitCode.NO);
        assertThat(run(pipe, "simulate llama-3.1-8b --users 2 --slo ttft=5s --synthetic h100-sxm:1")
                        .code())
                .isZero();
    }

    @Test
    void everyRouterCanBeNamed() {
        assertThat(Parameters.ROUTER.choices()).isEqualTo(Router.labels());
    }

    @Test
    void oneSeedGivesOneAnswer() {
        String words = "simulate llama-3.1-8b --rate 5 --lengths 0.5 --json --synthetic h100-sxm:1";
        assertThat(run(pipe, words).out()).isEqualTo(run(pipe, words).out());
        assertThat(run(pipe, words + " --seed 2").out())
                .isNotEqualTo(run(pipe, words).out());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            --synthetic l4:1 | a simulation needs a load: give --users, --rate, --burst or --trace
            --users 4 --rate 3 --synthetic l4:1 | give one load: --users, --rate or --burst
            --rate 0 --synthetic l4:1 | --rate must be a number of requests per second above 0, such as 20/s, not '0'
            --users 4 --slo ttfb=1s --synthetic l4:1 | --slo must be times, such as ttft=800ms,tpot=40ms,latency=20s, not 'ttfb=1s'
            --users 4 --slo tpot=1us --synthetic l4:1 | --slo must be times, such as
            --users 4 --speculative 3 --synthetic l4:1 | --speculative must be draft tokens and their acceptance rate, such as \
            3:0.7, not '3'
            --users 4 --prefix-hit 1.5 --synthetic l4:1 | --prefix-hit must be a share from 0 to 1, such as 0.8, not '1.5'
            --users 4 --engine-options max-seqs=3 --synthetic l40s:1 | no option 'max-seqs' of a scheduler is known
            --users 4 --engine-options max-num-seqs=x --synthetic l40s:1 | max-num-seqs is 'x'; write an integer from 1
            --users 4 --replicas 2 --decode-replicas 2 --synthetic l40s:2 | of 2 replicas, 2 that only decode leave none
            --users 4 --replicas 3 --synthetic l40s:2 | the devices have no room for 3 replicas
            --users 4 --tp 8 --synthetic l40s:2 | the devices have no room for a replica of TP 8
            --users 4 --tp 3 --synthetic h100-sxm:8 | TP 3 does not divide the 32 attention heads
            --users 9000000 --synthetic l40s:2 | --users must be an integer from 1 to 1000000, not '9000000'
            --rate 0.000001 --synthetic l40s:1 | requests are sent over more than 48 days; simulate fewer
            --users 4 --generate 90000000 --synthetic h100-sxm:8 | cannot
            --trace pom.xml --synthetic l4:1 | cannot read 'pom.xml': 'trace': line 1: no column for the tokens of prompts
            --trace nothing.csv --synthetic l4:1 | file 'nothing.csv' not found
            """)
    void badInputIsRefusedInOneSentence(String words, String sentence) {
        Outcome outcome = run(pipe, "simulate llama-3.1-8b " + words);
        assertThat(outcome.code()).isNotZero();
        assertThat(outcome.err()).contains(sentence).doesNotContain("Exception");
    }

    private static Outcome run(MusterRun muster, String words) {
        return muster.run(words.split(" "));
    }
}
