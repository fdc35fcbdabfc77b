// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.results;

import dev.muster.core.text.CsvReader;
import dev.muster.evidence.measured.MeasuredRun;
import dev.muster.evidence.results.form.ResultForm;
import dev.muster.evidence.results.form.ResultText;
import dev.muster.evidence.results.form.ResultsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// `llama-bench -o csv` and `-o sql`: columns by name.
final class LlamaTableForm implements ResultForm {
    private static final Pattern INSERT =
            Pattern.compile("INSERT INTO llama_bench \\(([^)]*)\\) VALUES \\((.*)\\);?\\s*");
    private static final Pattern VALUE = Pattern.compile("'((?:[^']|'')*)'|([^,']+)");

    @Override
    public boolean recognises(ResultText text) {
        return header(text.lines()) >= 0 || text.holds("INSERT INTO llama_bench");
    }

    private static int header(List<String> lines) {
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).startsWith("build_commit,") && lines.get(i).contains(",avg_ts")) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public List<MeasuredRun> read(ResultText text) {
        List<MeasuredRun> runs = new ArrayList<>();
        int header = header(text.lines());
        if (header >= 0) {
            List<String> columns = CsvReader.fieldsOf(text.lines().get(header));
            for (String line : text.lines().subList(header + 1, text.lines().size())) {
                if (!line.isBlank() && !line.startsWith("build_commit,")) {
                    runs.add(row(columns, CsvReader.fieldsOf(line)));
                }
            }
        }
        for (String line : text.lines()) {
            Matcher insert = INSERT.matcher(line);
            if (insert.matches()) {
                List<String> columns = List.of(insert.group(1).split(",\\s*", -1));
                runs.add(row(columns, values(insert.group(2))));
            }
        }
        if (runs.isEmpty()) {
            throw ResultsException.of("the table of llama-bench is cut off: it has no row");
        }
        return runs;
    }

    private static List<String> values(String text) {
        List<String> values = new ArrayList<>();
        Matcher matcher = VALUE.matcher(text);
        while (matcher.find()) {
            String quoted = matcher.group(1);
            if (quoted != null || !matcher.group(2).isBlank()) {
                values.add(quoted == null ? matcher.group(2).strip() : quoted.replace("''", "'"));
            }
        }
        return values;
    }

    private static MeasuredRun row(List<String> columns, List<String> values) {
        if (values.size() != columns.size()) {
            throw ResultsException.of("a row of the table has " + values.size() + " fields where the heading has "
                    + columns.size() + ": the file is cut off");
        }
        return LlamaRecord.read(name -> {
            int at = columns.indexOf(name);
            return at < 0 ? Optional.empty() : Optional.of(values.get(at)).filter(value -> !value.isBlank());
        });
    }
}
