// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.fit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.evidence.measured.AccuracyReport;
import dev.muster.evidence.measured.AccuracyReport.ClassAccuracy;
import dev.muster.evidence.measured.AccuracyReport.Refusal;
import dev.muster.evidence.measured.MeasuredTables;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.cost.MeasuredClass;
import dev.muster.plan.time.CoefficientTable;
import dev.muster.testing.Need;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Runs with disaggregated prefill and decode, which no fit ever sees.
class DisaggregatedRowsTest {
    private static final String HEAD = "id,silicon_data_source,backend,model_path,system,precision,isl,osl,"
            + "prefill_num_workers,prefill_tp_size,prefill_attention_dp_size,prefill_moe_ep_size,"
            + "decode_num_workers,decode_tp_size,decode_attention_dp_size,decode_moe_ep_size,"
            + "silicon_ttft_ms,silicon_tpot_ms\n";
    private static final String COUNTED =
            "a,silicon_concurrency=8,vllm,Qwen/Qwen3-32B,h100_sxm,fp8,1024,1024," + "1,2,1,1,2,2,1,1,300,15\n";

    @Test
    void publishedRunsAreNear() throws IOException {
        MeasuredCases cases = cases(Files.readString(Need.recording("groundtruth/disaggregated.csv")));
        AccuracyReport report = Predictions.report(cases, CoefficientTable.builtIn());
        report.classes().forEach(one -> System.out.println(one));
        assertThat(of(report, MeasuredClass.DISAGGREGATED_TPOT).medianError()).isLessThanOrEqualTo(0.2);
        assertThat(of(report, MeasuredClass.DISAGGREGATED_TTFT).medianError()).isLessThanOrEqualTo(0.4);
        assertThat(report.classes()).allSatisfy(one -> {
            assertThat(one.rows()).isGreaterThan(400);
            assertThat(one.coverage()).isGreaterThan(0.75);
        });
        assertThat(cases.cases()).allMatch(one -> one.weight() == 0);
        assertThat(report.refusals()).noneMatch(Refusal::isUsable);
    }

    @Test
    void aRowThatCountsItsWorkersNeedsNoLaunch() {
        AccuracyReport report = Predictions.report(cases(HEAD + COUNTED), CoefficientTable.builtIn());
        assertThat(report.refusals()).isEmpty();
        assertThat(report.rows()).hasSize(2);
    }

    @Test
    void rowsThatSayTooLittleAreRefusedWithTheReason() {
        String again = COUNTED.replaceFirst("a", "b");
        String uncounted = COUNTED.replaceFirst("a", "c").replace(",1,2,1,1,2,2,1,1,300", ",,2,1,1,,2,1,1,301");
        String uncountedOther =
                COUNTED.replaceFirst("a", "d").replace("=8", "=").replace("300", "302");
        String unknown = COUNTED.replaceFirst("a", "e").replace("Qwen/Qwen3-32B", "unknown/unknown");
        assertThat(cases(HEAD + COUNTED + again + uncounted + uncountedOther + unknown)
                        .refusals())
                .extracting(Refusal::reason)
                .containsExactly(
                        "another row is the same run",
                        "the row does not state the number of workers, and no matching launch is known",
                        "the row does not state the number of users",
                        "unknown engine or model: vllm, unknown/unknown");
    }

    /// The launch ran with and without drafted tokens.
    @Test
    void aRowThatMayBeOfSeveralLaunchesIsDoubted() {
        String row = "a,silicon_concurrency=8192,trtllm,deepseek-ai/DeepSeek-R1,gb200,fp4,1024,8192,"
                + ",4,1,4,,32,1,4,5000,30\n";
        assertThat(cases(HEAD + row).refusals())
                .extracting(Refusal::reason)
                .containsExactly("the row may be of several launches, which differ in workers or in draft tokens");
    }

    private static MeasuredCases cases(String table) {
        return MeasuredCases.of(
                MeasuredTables.of(Map.of(MeasuredTables.DISAGGREGATED, table)),
                ModelCatalogue.builtIn(),
                DeviceCatalogue.builtIn());
    }

    private static ClassAccuracy of(AccuracyReport report, MeasuredClass measured) {
        return report.classes().stream()
                .filter(one -> one.measuredClass() == measured)
                .findFirst()
                .orElseThrow();
    }
}
