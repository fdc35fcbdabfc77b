// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.simulate.SchedulerPolicy.Prompts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SchedulersTest {
    private static final double GIB = 1L << 30;

    @ParameterizedTest
    @CsvSource({
        "vllm, 0.19.0, h100-sxm, 80, 8192, 1024",
        "vllm, 0.19.0, b200-sxm, 180, 8192, 1024",
        "vllm, 0.28.0, b200-sxm, 180, 16384, 1024",
        "vllm, 0.28.0, h200-sxm, 141, 8192, 1024",
        "vllm, 0.28.0, a100-sxm-80, 80, 2048, 256",
        "vllm, 0.28.0, rtx-4090, 24, 2048, 256",
        "sglang, 0.5.2, rtx-a6000, 48, 8192, 4096",
        "sglang, 0.5.18, rtx-a6000, 48, 4096, 4096",
        "sglang, 0.5.18, rtx-4090, 24, 2048, 4096",
        "sglang, 0.5.18, b200-sxm, 180, 16384, 4096",
        "tensorrt-llm, 1.2, h100-sxm, 80, 8192, 2048",
        "llama.cpp, b7000, rtx-4090, 24, 2048, 4"
    })
    void budgetsGoByReleaseAndMemory(
            String engine, String release, String device, double gib, int budget, int sequences) {
        SchedulerPolicy policy =
                Schedulers.find(engine, release, device, gib * GIB).orElseThrow();
        assertThat(policy.tokenBudget()).isEqualTo(budget);
        assertThat(policy.maxSequences()).isEqualTo(sequences);
        assertThat(policy.source()).isNotBlank();
    }

    @Test
    void everyEngineHasAPolicy() {
        for (ServingEngine software : ServingEngine.values()) {
            assertThat(Schedulers.find(software.label(), "", "any", 80 * GIB))
                    .as(software.label())
                    .isPresent();
        }
        assertThat(Schedulers.find("transformers", "", "any", 0).orElseThrow().prompts())
                .isEqualTo(Prompts.BATCH);
        assertThat(Schedulers.find("unheard-of", "", "any", 0)).isEmpty();
    }

    @Test
    void enginesDifferInWhatSharesAStep() {
        assertThat(policy("vllm").prompts()).isEqualTo(Prompts.MIXED);
        assertThat(policy("sglang").prompts()).isEqualTo(Prompts.ALONE);
        assertThat(policy("tensorrt-llm").isChunked()).isFalse();
    }

    @Test
    void optionsOverrideWhatEnginesDoByThemselves() {
        SchedulerPolicy mixed = SchedulerOption.apply(policy("sglang"), "enable-mixed-chunk", "");
        assertThat(mixed.prompts()).isEqualTo(Prompts.MIXED);
        assertThat(SchedulerOption.apply(mixed, "scheduler-recv-interval", "30").pollSteps())
                .isEqualTo(30);
        SchedulerPolicy waiting = SchedulerOption.apply(policy("tensorrt-llm"), "batch_wait_timeout_iters", "20");
        assertThat(waiting.waitSteps()).isEqualTo(20);
        assertThat(SchedulerOption.apply(waiting, "batch_wait_max_tokens_ratio", "0.9")
                        .waitShare())
                .isEqualTo(0.9);
        assertThat(SchedulerOption.apply(policy("vllm"), "max-num-seqs", "64").maxSequences())
                .isEqualTo(64);
    }

    @Test
    void badOptionsSayWhatIsWrong() {
        assertThatThrownBy(() -> SchedulerOption.apply(policy("vllm"), "max-seqs", "64"))
                .hasMessageContaining("no option 'max-seqs'")
                .hasMessageContaining("max-num-seqs");
        assertThatThrownBy(() -> SchedulerOption.apply(policy("vllm"), "max-num-seqs", "many"))
                .hasMessage("max-num-seqs is 'many'; write an integer from 1 to 1048576");
    }

    private static SchedulerPolicy policy(String engine) {
        return Schedulers.find(engine, "", "h100-sxm", 80 * GIB).orElseThrow();
    }
}
