// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.fit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.evidence.measured.MeasuredTables;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.model.table.CsvRow;
import dev.muster.model.table.CsvTable;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.time.CoefficientTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// llama.cpp on an H200: files that the fit never sees, a third of all, each a model in a format.
class LlamaCppRowsTest {
    private static final Map<String, MeasuredCase> CASES = new HashMap<>();
    private static List<CsvRow> rows = List.of();

    @BeforeAll
    static void read() {
        String text =
                MeasuredTables.builtIn().find(MeasuredTables.H200_LLAMA_CPP).orElseThrow();
        rows = CsvTable.parse(text).rows();
        MeasuredTables alone = MeasuredTables.of(Map.of(MeasuredTables.H200_LLAMA_CPP, text));
        MeasuredCases cases = MeasuredCases.of(alone, ModelCatalogue.builtIn(), DeviceCatalogue.builtIn());
        assertThat(cases.refusals()).isEmpty();
        cases.cases().forEach(one -> CASES.put(one.id(), one));
    }

    private static boolean isHeld(CsvRow row) {
        return row.orEmpty("held").equals("yes");
    }

    private static MeasuredCase of(CsvRow row) {
        return Optional.ofNullable(CASES.get(row.orEmpty("row_id"))).orElseThrow();
    }

    private static String file(CsvRow row) {
        return row.orEmpty("model") + " " + row.orEmpty("weight_dtype");
    }

    @Test
    void heldRowsAreOfWholeFilesAndHaveNoWeight() {
        Set<String> held = new HashSet<>();
        Set<String> fitted = new HashSet<>();
        for (CsvRow row : rows) {
            (isHeld(row) ? held : fitted).add(file(row));
            assertThat(of(row).weight() == 0)
                    .as(row.orEmpty("row_id"))
                    .isEqualTo(isHeld(row) || !row.orEmpty("arrival").isEmpty());
        }
        assertThat(held).doesNotContainAnyElementsOf(fitted);
        assertThat(3 * held.size()).isGreaterThanOrEqualTo(held.size() + fitted.size());
    }

    @ParameterizedTest
    @CsvSource({"decode_tok_s, 8", "prefill_tok_s, 15", "out_tok_s, 15", "ttft_ms, 25"})
    void filesThatTheFitNeverSawAreNear(String metric, double percent) {
        List<Double> errors = new ArrayList<>();
        for (CsvRow row : rows) {
            if (isHeld(row) && row.orEmpty("metric").equals(metric)) {
                MeasuredCase one = of(row);
                errors.add(100 * Math.abs(one.prediction().with(CoefficientTable.builtIn()) / one.measured() - 1));
            }
        }
        errors.sort(null);
        assertThat(errors).hasSizeGreaterThanOrEqualTo(3);
        assertThat(Predictions.quantile(errors, 0.5)).isLessThanOrEqualTo(percent);
    }
}
