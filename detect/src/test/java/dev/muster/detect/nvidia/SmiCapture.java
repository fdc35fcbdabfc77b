// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import dev.muster.core.text.CsvReader;
import dev.muster.detect.Fixtures;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A recorded file with the outputs of many commands, each below a heading such as `# idle :: query (-q)`.
final class SmiCapture {
    private static final String RULE = "#".repeat(80);

    private final Map<String, String> sections = new LinkedHashMap<>();

    private SmiCapture() {}

    static SmiCapture of(String file) throws IOException {
        SmiCapture capture = new SmiCapture();
        String heading = "";
        boolean inHeading = false;
        for (String line :
                Fixtures.shared("nvidia/smi-captures/" + file).lines().toList()) {
            if (line.equals(RULE)) {
                inHeading = !inHeading;
            } else if (inHeading && line.contains(" :: ")) {
                heading = line.substring(2).strip();
                capture.sections.put(heading, "");
            } else if (!inHeading) {
                capture.sections.merge(heading, line + "\n", String::concat);
            }
        }
        return capture;
    }

    String section(String heading) {
        String text = sections.get(heading);
        if (text == null) {
            throw new IllegalArgumentException(heading + " is none of " + sections.keySet());
        }
        return text;
    }

    /// The row of the wide table.
    NvidiaQuery.Row row(String phase) {
        return parseWithHeader(section(phase + " :: query-gpu (csv, what the exporter parses)"))
                .rows()
                .getFirst();
    }

    /// Rows below a header that names their columns, such as `memory.total [MiB]`.
    static NvidiaQuery parseWithHeader(String text) {
        String stripped = text.strip();
        int end = stripped.indexOf('\n');
        List<String> columns = CsvReader.fieldsOf(stripped.substring(0, end)).stream()
                .map(title -> title.contains(" [") ? title.substring(0, title.indexOf(" [")) : title)
                .toList();
        return NvidiaQuery.parse(stripped.substring(end + 1), columns);
    }

    /// Text of `-q`, in the form of `-q -x`.
    NvidiaElement query(String phase) {
        return QueryText.parse(section(phase + " :: query (-q)"));
    }
}
