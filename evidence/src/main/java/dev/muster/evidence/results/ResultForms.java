// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.results;

import dev.muster.evidence.measured.MeasuredRun;
import dev.muster.evidence.results.form.ResultForm;
import dev.muster.evidence.results.form.ResultText;
import dev.muster.evidence.results.form.ResultsException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// All forms, and the choice of those that a text has.
public final class ResultForms {
    private static final Pattern PLACEHOLDER = Pattern.compile("\\bX+\\.X+\\b");
    private static final List<ResultForm> ALL = all();

    private ResultForms() {}

    private static List<ResultForm> all() {
        List<ResultForm> forms = new ArrayList<>(List.of(
                new MarkerForm(),
                new MetricsForm(),
                new ServeForm(),
                new VllmOfflineForm(),
                new LlamaBenchForm(),
                new LlamaBatchedForm(),
                new AiPerfForm(),
                new AiPerfRequestsForm(),
                new InferencePerfForm(),
                new GuideLlmForm(),
                new TrtLlmJsonForm(),
                new RecordForm(),
                new VllmRequestsForm(),
                new SglangBatchJsonForm(),
                new InferenceMaxForm()));
        forms.addAll(DescriptionForms.all());
        forms.addAll(SimulatorForms.all());
        forms.addAll(List.of(
                new MlLogForm(),
                new TrainerForm(),
                new ServeConsoleForm(),
                new VllmOfflineConsoleForm(),
                new MlPerfForm(),
                new TrtLlmSummaryForm(),
                new SglangBatchForm(),
                new LlamaTableForm(),
                new LlamaMarkdownForm(),
                new PerfTableForm()));
        forms.addAll(StepLogForms.all());
        // Their marks occur in the logs of others, too.
        forms.addAll(List.of(new FlopsProfilerForm(), new TrtLlmForm()));
        return List.copyOf(forms);
    }

    private static ResultsException unknown(ResultText content) {
        for (String line : content.lines()) {
            if (PLACEHOLDER.matcher(line).find()) {
                return ResultsException.of("the file has placeholders in place of figures, so it is not a measurement");
            }
        }
        boolean hasFailed = content.holds("Traceback (most recent call last)") || content.holds("out of memory");
        return ResultsException.of(
                hasFailed
                        ? "the log of a run that failed: it ends before any result"
                        : "the file has no known form of a benchmark or training");
    }

    /// Returns the runs of a file; a run without figures only describes the setup.
    ///
    /// @throws ResultsException if nothing can be learned from it
    public static List<MeasuredRun> read(String text) {
        ResultText content = ResultText.of(text);
        for (ResultForm form : ALL) {
            if (form.recognises(content)) {
                List<MeasuredRun> runs = form.read(content);
                if (runs.isEmpty()) {
                    throw ResultsException.of("the file contains no run");
                }
                return runs;
            }
        }
        throw unknown(content);
    }
}
