// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.results;

import dev.muster.core.text.CsvReader;
import dev.muster.evidence.measured.MeasuredRun;
import dev.muster.evidence.measured.MeasuredRun.Fact;
import dev.muster.evidence.measured.MeasuredRun.Load;
import dev.muster.evidence.measured.MeasuredRun.Metric;
import dev.muster.evidence.measured.MeasuredRun.Statistic;
import dev.muster.evidence.results.form.Numbers;
import dev.muster.evidence.results.form.PerfMetrics;
import dev.muster.evidence.results.form.ResultForm;
import dev.muster.evidence.results.form.ResultText;
import dev.muster.evidence.results.form.ResultsException;
import dev.muster.evidence.results.form.RunBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Tables of AIPerf and GenAI-Perf, as CSV or on the terminal: a row for each metric and a column for each statistic;
/// or, of `genai-perf analyze`, a row for each run and a column for each metric.
final class PerfTableForm implements ResultForm {
    private static final Pattern BARS = Pattern.compile("[│┃|]");

    @Override
    public boolean recognises(ResultText text) {
        for (String line : text.lines()) {
            List<String> cells = cells(line);
            if (isHeader(cells) || isRunHeader(cells)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isHeader(List<String> cells) {
        String first = cells.getFirst();
        return (first.equals("Metric") || first.equals("Statistic")) && cells.contains("avg");
    }

    private static boolean isRunHeader(List<String> cells) {
        return cells.getFirst().equals("Config Name")
                && cells.stream().anyMatch(cell -> cell.contains("Time To First Token"));
    }

    private static List<String> cells(String line) {
        String plain = line.strip();
        boolean isDrawn = plain.startsWith("│") || plain.startsWith("┃") || plain.startsWith("|");
        if (!isDrawn) {
            return CsvReader.fieldsOf(plain);
        }
        List<String> cells = new ArrayList<>();
        String[] parts = BARS.split(plain, -1);
        for (int i = 1; i < parts.length - 1; i++) {
            cells.add(parts[i].strip());
        }
        return cells.isEmpty() ? List.of("") : cells;
    }

    @Override
    public List<MeasuredRun> read(ResultText text) {
        boolean isGenAi = text.holds("GenAI-Perf") || (!text.holds(",sum,") && !text.holds("AIPerf"));
        RunBuilder run = RunBuilder.of(isGenAi ? "GenAI-Perf" : "AIPerf");
        List<MeasuredRun> runs = new ArrayList<>();
        List<String> columns = List.of();
        for (String line : text.lines()) {
            List<String> cells = cells(line);
            boolean isHeading = isHeader(cells)
                    || isRunHeader(cells)
                    || cells.getFirst().equals("Metric")
                    || cells.getFirst().equals("Config Name");
            if (isHeading || line.isBlank()) {
                columns = isHeading ? cells : List.of();
            } else if (!columns.isEmpty() && isRunHeader(columns) && cells.size() == columns.size()) {
                runs.add(ofRow(columns, cells));
            } else if (!columns.isEmpty() && cells.size() <= columns.size()) {
                addMetric(run, columns, cells);
            }
        }
        if (runs.isEmpty()) {
            if (!run.hasFigures()) {
                throw ResultsException.of("the table of metrics has no figure: the run failed or the file is cut off");
            }
            runs.add(run.build());
        }
        return runs;
    }

    private static void addMetric(RunBuilder run, List<String> columns, List<String> cells) {
        PerfMetrics.Name name = PerfMetrics.Name.of(cells.getFirst());
        for (int i = 1; i < cells.size(); i++) {
            Optional<Statistic> statistic = PerfMetrics.statistic(columns.get(i));
            if (statistic.isPresent()) {
                PerfMetrics.add(run, name, statistic.get(), Numbers.find(cells.get(i)));
            }
        }
    }

    /// Returns the run of a row with columns such as `p99 Time To First Token (ms)` and `Avg. Output Token Throughput
    /// (tokens/sec)`. Output Token Throughput (tokens/sec)`.
    private static MeasuredRun ofRow(List<String> columns, List<String> cells) {
        RunBuilder run = RunBuilder.of("GenAI-Perf");
        String name = cells.getFirst();
        int end = name.indexOf("_run_config");
        if (end > 0) {
            run.say(Fact.MODEL, name.substring(0, end));
        }
        for (int i = 1; i < columns.size(); i++) {
            String column = columns.get(i);
            int blank = column.indexOf(' ');
            Optional<Statistic> statistic = blank < 0
                    ? Optional.empty()
                    : PerfMetrics.statistic(column.substring(0, blank).replace(".", ""));
            PerfMetrics.add(
                    run,
                    PerfMetrics.Name.of(statistic.isPresent() ? column.substring(blank + 1) : column),
                    statistic.orElse(Statistic.MEAN),
                    Numbers.find(cells.get(i)));
        }
        if (run.find(Fact.CONCURRENCY).isPresent()) {
            run.load(Load.CLOSED_LOOP);
        }
        if (run.find(Metric.OUTPUT_RATE, Statistic.MEAN).isEmpty() && !run.hasFigures()) {
            throw ResultsException.of("a row of the table has no figure: the run failed");
        }
        return run.build();
    }
}
