// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.model.memory.StandardFormat;
import dev.muster.model.table.CsvRow;
import dev.muster.model.table.CsvTable;
import dev.muster.model.tensor.StoredWeights;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.TrainingRun;
import dev.muster.plan.cost.TrainingRun.Offload;
import dev.muster.plan.cost.TrainingRun.Order;
import dev.muster.plan.cost.TrainingRun.Recompute;
import dev.muster.plan.cost.TrainingRun.Sharding;
import dev.muster.plan.search.training.StagedMemory;
import dev.muster.plan.search.training.TrainingLoad;
import dev.muster.plan.time.ModelShape;
import dev.muster.plan.time.WeightParts;
import dev.muster.plan.training.TrainingMemoryUse;
import dev.muster.plan.training.TrainingMethod;
import dev.muster.plan.training.TrainingPrecision;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Published runs fitted in memory, so the memory model must report that they fit.
class PublishedRunsTest {
    private static CsvTable table() throws IOException {
        return CsvTable.parse(
                Files.readString(Path.of("../evidence/src/main/resources/dev/muster/evidence/measured/training.csv")));
    }

    @Test
    void whatRanFits() throws IOException {
        List<String> missing = new ArrayList<>();
        int checked = 0;
        for (CsvRow row : table().rows()) {
            if (!row.orEmpty("framework").startsWith("megatron-bridge")) {
                continue;
            }
            Optional<Double> share = leastShare(row);
            if (share.isPresent()) {
                checked++;
                if (share.get() > 1) {
                    missing.add(row.orEmpty("row_id") + " " + row.orEmpty("model") + " " + share.get());
                }
            }
        }
        assertThat(checked).isGreaterThan(60);
        assertThat(missing).as("runs that did fit").isEmpty();
    }

    private static TrainingPrecision precision(CsvRow row) {
        return row.orEmpty("precision").equals("bf16") ? TrainingPrecision.BF16 : TrainingPrecision.FP8;
    }

    /// Returns the share of a device's memory that the run needs with the recompute setting that needs least.
    private static Optional<Double> leastShare(CsvRow row) {
        return ModelCatalogue.builtIn()
                .find(row.orEmpty("model"))
                .flatMap(entry -> ModelShape.of(entry.architecture()).map(shape -> {
                    DeviceFigures device = DeviceFigures.of(DeviceCatalogue.builtIn()
                            .find(row.orEmpty("device"))
                            .orElseThrow());
                    WeightParts parts = WeightParts.of(StoredWeights.of(entry.architecture(), StandardFormat.BF16)
                            .find()
                            .orElseThrow());
                    boolean adapters = row.orEmpty("framework").endsWith("/lora");
                    TrainingLoad load = TrainingLoad.of(TrainingMethod.parse(adapters ? "lora" : "full"), shape, 16);
                    StagedMemory memory = new StagedMemory(shape, parts, load, device.memory(), precision(row));
                    double least = Double.MAX_VALUE;
                    for (Recompute recompute : Recompute.values()) {
                        TrainingMemoryUse use = memory.of(run(row, recompute, adapters));
                        least = Math.min(least, use.total() / use.capacity());
                    }
                    return least;
                }));
    }

    private static TrainingRun run(CsvRow row, Recompute recompute, boolean adapters) {
        double virtual = number(row, "vpp");
        return new TrainingRun(
                number(row, "seq_len"),
                number(row, "micro_batch"),
                number(row, "global_batch"),
                number(row, "n_devices"),
                number(row, "tp"),
                number(row, "pp"),
                number(row, "cp"),
                number(row, "ep"),
                virtual,
                recompute,
                row.orEmpty("sharding").startsWith("f") ? Sharding.WEIGHTS : Sharding.OPTIMIZER,
                Order.REPLICAS_FIRST,
                adapters,
                Offload.NONE);
    }

    private static double number(CsvRow row, String column) {
        return row.orEmpty(column).isEmpty() ? 1 : Double.parseDouble(row.orEmpty(column));
    }
}
