// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.muster.evidence.Accuracy;
import dev.muster.evidence.measured.AccuracyReport;
import dev.muster.evidence.measured.AccuracyReport.PredictedRow;
import dev.muster.evidence.measured.MeasuredTables;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.cost.MeasuredClass;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Rows in their own loads, units and statistics. The measured values are made up.
class OpenLoadRowsTest {
    private static final String SERVING =
            "row_id,group_id,model,device,n_devices,tp,weight_dtype,engine,engine_version,load,input_len,output_len,"
                    + "metric,value,note,arrival,concurrency,request_rate,n_requests,stat\n";

    private static AccuracyReport report(String table, String text) {
        return Accuracy.of(MeasuredTables.of(Map.of(table, text)), ModelCatalogue.builtIn(), DeviceCatalogue.builtIn())
                .report();
    }

    private static String served(String id, String metric, String rate, String stat) {
        return id + ",g,llama-3.1-8b,h100-sxm,1,1,bf16,vllm,0.15.1,offline_max,1024,256," + metric + ",100,,poisson,,"
                + rate + ",500," + stat + "\n";
    }

    private static double predicted(AccuracyReport report, String id) {
        return report.rows().stream()
                .filter(row -> row.id().equals(id))
                .mapToDouble(PredictedRow::predicted)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aRateIsSimulatedOpenLoopWithTheStatisticOfTheRow() {
        AccuracyReport report = report(
                MeasuredTables.SERVING,
                SERVING
                        + served("mean", "ttft_ms", "8", "mean")
                        + served("p99", "ttft_ms", "8", "p99")
                        + served("light", "tpot_ms", "0.5", "median")
                        + served("busy", "tpot_ms", "12", "median")
                        + served("tokens", "out_tok_s", "8", "mean")
                        + served("other", "tpot_ms", "8", "median_itl"));
        assertThat(report.rows())
                .hasSize(5)
                .allMatch(row -> row.measuredClass() == MeasuredClass.SERVING_TTFT
                        || row.measuredClass() == MeasuredClass.SERVING_TPOT
                        || row.measuredClass() == MeasuredClass.SERVING_THROUGHPUT);
        assertThat(predicted(report, "p99")).isGreaterThan(1.5 * predicted(report, "mean"));
        assertThat(predicted(report, "busy")).isGreaterThan(1.3 * predicted(report, "light"));
        assertThat(predicted(report, "tokens")).isCloseTo(8 * 256, within(0.1 * 8 * 256));
        assertThat(report.refusals())
                .singleElement()
                .satisfies(refusal -> assertThat(refusal.reason()).contains("median_itl"));
    }

    @Test
    void secondsOfARequestAreComparedWithSeconds() {
        String head = "row_id,group_id,provenance,model,device,n_devices,weight_dtype,engine,engine_version,load,batch,"
                + "input_len,output_len,context_depth,metric,value,note\n";
        for (String engine : new String[] {"llama.cpp", "transformers"}) {
            String row = ",g,extracted,llama-3.1-8b,a100-sxm4-80,1,fp16," + engine + ",,static_batch,1,512,128,,";
            AccuracyReport report = report(
                    MeasuredTables.INFERENCE,
                    head + "seconds" + row + "e2e_latency_s,3,\n" + "rate" + row
                            + (engine.equals("llama.cpp") ? "decode_tok_s" : "out_tok_s") + ",50,\n");
            assertThat(predicted(report, "seconds") * predicted(report, "rate"))
                    .as(engine)
                    .isCloseTo(128, within(10.0));
        }
    }
}
