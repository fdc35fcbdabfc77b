// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.muster.evidence.measured.MeasuredRun;
import dev.muster.evidence.measured.MeasuredRun.Fact;
import dev.muster.evidence.measured.MeasuredRun.Metric;
import dev.muster.evidence.measured.MeasuredRun.Statistic;
import dev.muster.evidence.results.form.ResultsException;
import org.junit.jupiter.api.Test;

/// Pages of metrics in the form that each engine documents.
class MetricsFormTest {
    private static MeasuredRun read(String text) {
        return ResultForms.read(text).getFirst();
    }

    private static double mean(MeasuredRun run, Metric metric) {
        return run.find(metric, Statistic.MEAN).orElseThrow();
    }

    @Test
    void pagesOfSglangTellOfTheTimeBetweenThem() {
        String page = """
                # muster page %s
                sglang:num_running_reqs{model_name="Qwen/Qwen3-32B",tp_rank="0"} %d
                sglang:num_queue_reqs{model_name="Qwen/Qwen3-32B",tp_rank="0"} 0.0
                sglang:token_usage{model_name="Qwen/Qwen3-32B",tp_rank="0"} 0.37
                sglang:is_cuda_graph{model_name="Qwen/Qwen3-32B",tp_rank="0"} 0.0
                sglang:prompt_tokens_total{model_name="Qwen/Qwen3-32B"} %d
                sglang:cached_tokens_total{cache_source="device",model_name="Qwen/Qwen3-32B"} %d
                sglang:generation_tokens_total{model_name="Qwen/Qwen3-32B"} %d
                sglang:num_requests_total{model_name="Qwen/Qwen3-32B"} %d
                sglang:time_to_first_token_seconds_sum{model_name="Qwen/Qwen3-32B"} %s
                sglang:time_to_first_token_seconds_count{model_name="Qwen/Qwen3-32B"} %d
                sglang:inter_token_latency_seconds_sum{model_name="Qwen/Qwen3-32B"} %s
                sglang:inter_token_latency_seconds_count{model_name="Qwen/Qwen3-32B"} %d
                """;
        MeasuredRun run = read("# muster fact tp 4\n"
                + page.formatted("0", 10, 1000, 100, 500, 10, 9.9, 10, 99.0, 490)
                + page.formatted("20.0", 30, 41000, 10100, 8500, 50, 13.9, 50, 179.0, 8490));

        assertThat(run.find(Fact.ENGINE)).contains("sglang");
        assertThat(run.find(Fact.MODEL)).contains("Qwen/Qwen3-32B");
        assertThat(run.find(Fact.TP)).contains("4");
        assertThat(run.find(Fact.INPUT_TOKENS)).contains("1000");
        assertThat(run.find(Fact.OUTPUT_TOKENS)).contains("200");
        assertThat(run.find(Fact.CONCURRENCY)).contains("20");
        assertThat(run.find(Fact.PREFIX_HITS)).contains("25");
        assertThat(run.find(Fact.GRAPHS)).contains("off");
        assertThat(mean(run, Metric.TTFT)).isCloseTo(0.1, within(1e-9));
        assertThat(mean(run, Metric.TPOT)).isCloseTo(0.01, within(1e-9));
        assertThat(mean(run, Metric.OUTPUT_RATE)).isCloseTo(400, within(1e-9));
    }

    @Test
    void onePageOfDynamoTellsOfAllRequests() {
        MeasuredRun run = read("""
                dynamo_frontend_active_requests{model="qwen/qwen3-0.6b"} 5
                dynamo_frontend_queued_requests{model="qwen/qwen3-0.6b"} 2
                dynamo_frontend_requests_total{model="qwen/qwen3-0.6b",status="success"} 10
                dynamo_frontend_input_sequence_tokens_sum{model="qwen/qwen3-0.6b"} 5000
                dynamo_frontend_output_sequence_tokens_sum{model="qwen/qwen3-0.6b"} 1000
                dynamo_frontend_time_to_first_token_seconds_sum{model="qwen/qwen3-0.6b"} 2
                dynamo_frontend_time_to_first_token_seconds_count{model="qwen/qwen3-0.6b"} 10
                """);

        assertThat(run.find(Fact.MODEL)).contains("qwen/qwen3-0.6b");
        assertThat(run.find(Fact.ENGINE)).isEmpty();
        assertThat(run.find(Fact.INPUT_TOKENS)).contains("500");
        assertThat(run.find(Fact.WAITING)).contains("2");
        assertThat(mean(run, Metric.TTFT)).isCloseTo(0.2, within(1e-9));
        assertThat(run.find(Metric.OUTPUT_RATE, Statistic.MEAN)).isEmpty();
    }

    @Test
    void whatTellsNothingIsRefused() {
        assertThatThrownBy(() -> read("llamacpp:tokens_predicted_total 0\n"))
                .isInstanceOf(ResultsException.class)
                .hasMessage("the server has ended no request");
        assertThatThrownBy(() -> read("""
                # muster page 0
                llamacpp:tokens_predicted_total 90
                # muster page 9
                llamacpp:tokens_predicted_total 5
                """)).hasMessage("the server was started anew between the pages");
    }
}
