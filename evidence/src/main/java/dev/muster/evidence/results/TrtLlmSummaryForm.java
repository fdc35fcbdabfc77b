// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.results;

import dev.muster.core.text.CsvReader;
import dev.muster.evidence.measured.MeasuredRun;
import dev.muster.evidence.measured.MeasuredRun.Fact;
import dev.muster.evidence.measured.MeasuredRun.Load;
import dev.muster.evidence.measured.MeasuredRun.Metric;
import dev.muster.evidence.results.form.Numbers;
import dev.muster.evidence.results.form.ResultForm;
import dev.muster.evidence.results.form.ResultText;
import dev.muster.evidence.results.form.ResultsException;
import dev.muster.evidence.results.form.RunBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/// A table of runs of `trtllm-bench` by input and output length, as scripts around it write one.
final class TrtLlmSummaryForm implements ResultForm {
    private static final String HEADING = "ISL,OSL,Requests,Throughput(tokens/sec)";

    @Override
    public boolean recognises(ResultText text) {
        return text.holds(HEADING);
    }

    @Override
    public List<MeasuredRun> read(ResultText text) {
        List<MeasuredRun> runs = new ArrayList<>();
        List<String> columns = List.of();
        for (String line : text.lines()) {
            List<String> cells = CsvReader.fieldsOf(line);
            if (line.startsWith(HEADING)) {
                columns = cells;
            } else if (cells.size() == columns.size() && cells.contains("SUCCESS")) {
                OptionalDouble rate = Numbers.find(cells.get(3));
                if (rate.orElse(0) > 0) {
                    runs.add(RunBuilder.of("trtllm-bench")
                            .say(Fact.ENGINE, "tensorrt-llm")
                            .load(Load.BURST)
                            .say(Fact.INPUT_TOKENS, Numbers.find(cells.get(0)))
                            .say(Fact.OUTPUT_TOKENS, Numbers.find(cells.get(1)))
                            .say(Fact.REQUESTS, Numbers.find(cells.get(2)))
                            .mean(Metric.OUTPUT_RATE, rate.getAsDouble())
                            .build());
                }
            }
        }
        if (runs.isEmpty()) {
            throw ResultsException.of("no run of the summary succeeded");
        }
        return runs;
    }
}
