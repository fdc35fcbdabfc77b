// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.results;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonBoolean;
import dev.muster.evidence.measured.MeasuredRun;
import dev.muster.evidence.results.form.JsonFields;
import dev.muster.evidence.results.form.JsonForm;
import dev.muster.evidence.results.form.ResultText;
import dev.muster.evidence.results.form.ResultsException;
import java.util.List;
import java.util.Optional;

/// A file that scripts around benchmarks leave instead of a result: the reason, or the terminal output.
final class MarkerForm extends JsonForm {
    private static final int FEW = 4;
    private static final int LONGEST_REASON = 120;

    @Override
    public boolean recognises(JsonValue item) {
        boolean isSmall = JsonFields.members(item).size() <= FEW;
        return JsonFields.has(item, "raw_output")
                || isFailure(item)
                || (isSmall
                        && JsonFields.firstText(item, "reason", "error", "exception", "traceback")
                                .isPresent());
    }

    private static boolean isFailure(JsonValue item) {
        return item.find("success")
                .filter(value -> value instanceof JsonBoolean(boolean truth) && !truth)
                .isPresent();
    }

    @Override
    public List<MeasuredRun> read(JsonValue item) {
        Optional<String> reason =
                JsonFields.firstText(item, "reason", "error", "exception", "traceback", "message", "stderr");
        if (isFailure(item) || !JsonFields.has(item, "raw_output")) {
            throw ResultsException.of("a marker of a failed run, not a measurement"
                    + reason.map(text -> ": " + shortened(text)).orElse(""));
        }
        ResultText printed = ResultText.of(JsonFields.text(item, "raw_output").orElse(" "));
        ServeConsoleForm console = new ServeConsoleForm();
        if (!console.recognises(printed)) {
            throw ResultsException.of("the output in 'raw_output' ends before the result of a benchmark");
        }
        return console.read(printed);
    }

    private static String shortened(String text) {
        String line = text.lines().findFirst().orElse("");
        return line.length() <= LONGEST_REASON ? line : line.substring(0, LONGEST_REASON) + "...";
    }
}
