// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.measured;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.muster.evidence.fit.MeasuredCases;
import dev.muster.evidence.fit.Predictions;
import dev.muster.model.CatalogueException;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.time.CoefficientTable;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/// Arbitrary tables of measurements: they give a report with figures, or one sentence.
final class AccuracyFuzzTest {
    private static final ModelCatalogue MODELS = ModelCatalogue.builtIn();
    private static final DeviceCatalogue DEVICES = DeviceCatalogue.builtIn();
    private static final CoefficientTable FITTED = CoefficientTable.builtIn();

    @FuzzTest
    void inference(byte[] data) {
        read(
                MeasuredTables.INFERENCE,
                "row_id,group_id,provenance,model,params_b,active_params_b,device,n_devices,tp,pp,ep,attn_dp,"
                        + "weight_dtype,kv_dtype,engine,engine_version,load,batch,input_len,output_len,context_depth,"
                        + "metric,value,note\n",
                data);
    }

    @FuzzTest
    void training(byte[] data) {
        read(
                MeasuredTables.TRAINING,
                "row_id,group_id,source_id,model,params_b,active_params_b,layers,hidden,vocab,seq_len,device,n_devices,"
                        + "tp,pp,cp,ep,vpp,sharding,micro_batch,global_batch,precision,recompute,framework,"
                        + "tok_s_per_device,tflops_per_device,mfu_pct,note\n",
                data);
    }

    @FuzzTest
    void memory(byte[] data) {
        read(
                MeasuredTables.MEMORY,
                "row_id,group_id,source_id,kind,model,device,n_devices,parallelism,weight_dtype,method,micro_batch,"
                        + "seq_len,extra,metric,value\n",
                data);
    }

    @FuzzTest
    void training200(byte[] data) {
        read(
                MeasuredTables.H200_TRAINING,
                "model,trainable_params,method,precision,recompute,batch,seq,step_ms,peak_alloc_bytes,"
                        + "peak_reserved_bytes\n",
                data);
    }

    private static void read(String table, String head, byte[] data) {
        MeasuredTables tables = MeasuredTables.of(Map.of(table, head + new String(data, StandardCharsets.UTF_8)));
        try {
            AccuracyReport report = Predictions.report(MeasuredCases.of(tables, MODELS, DEVICES), FITTED);
            assertThat(report.rows()).allMatch(row -> Double.isFinite(row.predicted()) && row.predicted() > 0);
            assertThat(report.predictedShare()).isBetween(0.0, 1.0);
        } catch (CatalogueException e) {
            assertThat(e).hasMessageMatching("(?s).{10,400}");
        }
    }
}
