// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.plan;

import dev.muster.core.json.JsonValue;
import dev.muster.plan.Planner.FitAnswer;
import dev.muster.plan.serving.FormatFit;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.report.terminal.Report;
import dev.muster.report.terminal.Terminal;
import dev.muster.report.text.Count;
import dev.muster.report.text.Table;
import java.util.Optional;

/// The context and the number of sequences of a model that fit on devices.
///
/// @param request the request
/// @param answer the fits, for each kind of device and format
public record FitText(ServingRequest request, FitAnswer answer) implements Report {

    @Override
    public String text(Terminal terminal) {
        FactLines lines = FactLines.of(request.model(), terminal);
        lines.add("request", Count.of(request.concurrency(), "sequence") + " of " + request.tokens() + " tokens");
        lines.add("take", recommended());
        // By format and engine: the equals of a record takes 9 ms on first use (docs/decisions/0004).
        Optional<FormatFit> recommended = answer.findRecommended();
        Table<FormatFit> table = new Table<FormatFit>(terminal)
                .mark(fit -> recommended.filter(fit::equals).isPresent())
                .left("FORMAT", fit -> ServingText.format(fit.format(), request.architecture()))
                .left("KV", 2, fit -> fit.kvBits() + "-bit")
                .right("WEIGHTS", 1, FormatFit::weights)
                .right("CONTEXT OF 1", fit -> context(fit.tokensAlone(), fit));
        if (request.concurrency() > 1) {
            table.right("CONTEXT OF " + request.concurrency(), fit -> context(fit.tokens(), fit));
        }
        table.right("SEQUENCES OF " + request.tokens(), fit -> fit.sequences() == 0 ? "none" : fit.sequences())
                .right(
                        "TOKENS/S",
                        fit -> fit.plan()
                                .map(plan -> PredictedFigures.figure(
                                        plan.tokensPerSecond().p50())))
                .flexible(
                        "ON",
                        0,
                        fit -> fit.pool().count() + " x " + fit.pool().name() + ", "
                                + fit.software().display());
        return lines + "\n" + table.render(answer.fits())
                + terminal.dim("Contexts and sequences are limits of memory; 'muster plan' predicts speed.\n");
    }

    private String recommended() {
        return answer.findRecommended()
                .map(fit -> fit.format().label() + ": the most bits that fit the request, "
                        + PredictedFigures.figure(fit.plan().orElseThrow().tokensPerSecond()) + " tokens/s with "
                        + fit.software().display())
                .orElse("no format fits the request");
    }

    private static String context(int tokens, FormatFit fit) {
        if (tokens == 0) {
            return "does not fit";
        }
        return tokens == fit.mostTokens() ? "all " + tokens : String.valueOf(tokens);
    }

    @Override
    public JsonValue json() {
        return ServingDocument.fits(request, answer);
    }
}
