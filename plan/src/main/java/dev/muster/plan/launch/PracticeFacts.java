// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.launch;

import dev.muster.model.table.CsvRow;
import dev.muster.model.table.CsvTable;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingRequest;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The launch facts that the documents of an engine set for a family of models: code of its own, tokenizer, parsers and
/// the drafting layers of the checkpoint.
final class PracticeFacts {
    private static final String TABLE = "practice.csv";
    private static final Map<LaunchFact, String> COLUMNS = new EnumMap<>(Map.of(
            LaunchFact.TRUST_REMOTE_CODE, "trust_remote_code",
            LaunchFact.TOKENIZER_MODE, "tokenizer_mode",
            LaunchFact.TOOL_PARSER, "tool_parser",
            LaunchFact.REASONING_PARSER, "reasoning_parser",
            LaunchFact.MTP, "mtp"));

    private PracticeFacts() {}

    static LaunchFacts add(LaunchFacts known, ServingRequest request, ServingEngine engine) {
        String family = request.architecture().family().find().orElse("").toLowerCase(Locale.ROOT);
        for (CsvRow row : CsvTable.parse(LaunchTemplate.resource(TABLE)).rows()) {
            if (row.require("engine").equals(engine.label())
                    && names(row, family, request.model().name().toLowerCase(Locale.ROOT))) {
                LaunchFacts facts = known;
                for (Map.Entry<LaunchFact, String> column : COLUMNS.entrySet()) {
                    String value = row.orEmpty(column.getValue());
                    facts = value.isEmpty() ? facts : facts.with(column.getKey(), value);
                }
                return facts;
            }
        }
        return known;
    }

    /// Reports whether a row names the family, or the model or a series that it belongs to, such as `kimi-k2`.
    private static boolean names(CsvRow row, String family, String model) {
        return List.of(row.require("models").split(" ", -1)).stream()
                .anyMatch(one -> one.equals(family) || one.equals(model) || model.startsWith(one + "-"));
    }
}
