package dev.muster.cli.model;

import dev.muster.cli.render.Count;
import dev.muster.cli.render.Quantity;
import dev.muster.cli.render.Terminal;
import dev.muster.cli.render.TextTable;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.plan.Planner.FitAnswer;
import dev.muster.plan.ServingDocument;
import dev.muster.plan.memory.PublishedFormat;
import dev.muster.plan.model.ModelSummary;
import dev.muster.plan.serving.FormatFit;
import dev.muster.plan.serving.ServingRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// How much context and how many sequences of a model fit on devices.
///
/// @param request what was asked
/// @param answer what fits, for each kind of device and format
public record FitText(ServingRequest request, FitAnswer answer) {

    /// For people.
    public String text(Terminal terminal) {
        ModelSummary model = request.model();
        FactLines lines = new FactLines(terminal).title(model.name());
        lines.add("parameters", model.parameters(), CheckpointText::parameters);
        lines.add("asked", Count.of(request.concurrency(), "sequence") + " of " + request.tokens() + " tokens");
        lines.add("take", recommended());
        List<TextTable.Column> columns = new ArrayList<>(List.of(
                new TextTable.Column("", false, 0, false),
                new TextTable.Column("FORMAT", false, 0, false),
                new TextTable.Column("KV", false, 2, false),
                new TextTable.Column("WEIGHTS", true, 1, false),
                new TextTable.Column("CONTEXT OF 1", true, 0, false)));
        if (request.concurrency() > 1) {
            columns.add(new TextTable.Column("CONTEXT OF " + request.concurrency(), true, 0, false));
        }
        columns.add(new TextTable.Column("SEQUENCES OF " + request.tokens(), true, 0, false));
        columns.add(new TextTable.Column("TOKENS/S", true, 0, false));
        columns.add(new TextTable.Column("ON", false, 0, true));
        TextTable table = new TextTable(terminal, columns);
        Optional<FormatFit> recommended = answer.findRecommended();
        answer.fits()
                .forEach(fit ->
                        table.add(row(fit, recommended.filter(fit::equals).isPresent(), terminal)));
        return lines + "\n" + table.render(true)
                + terminal.dim(
                        "Contexts and sequences are what memory has room for; 'muster plan' says more of speed.\n");
    }

    private String recommended() {
        return answer.findRecommended()
                .map(fit -> fit.format().label() + ": the most bits that hold what was asked, "
                        + PredictedFigures.figure(fit.plan().orElseThrow().tokensPerSecond()) + " tokens/s with "
                        + fit.software().display())
                .orElse("no format holds what was asked");
    }

    private List<TextTable.Cell> row(FormatFit fit, boolean isRecommended, Terminal terminal) {
        List<TextTable.Cell> cells = new ArrayList<>(List.of(
                cell(isRecommended ? QuantizationText.mark(terminal) : ""),
                cell(RequestText.format(fit.format(), request.architecture())),
                cell(fit.kvBits() + "-bit"),
                cell(Quantity.of(fit.weights())),
                cell(context(fit.tokensAlone(), fit))));
        if (request.concurrency() > 1) {
            cells.add(cell(context(fit.tokens(), fit)));
        }
        cells.add(cell(fit.sequences() == 0 ? "none" : String.valueOf(fit.sequences())));
        cells.add(cell(fit.plan()
                .map(plan -> PredictedFigures.figure(plan.tokensPerSecond().p50()))
                .orElse(terminal.unknown())));
        cells.add(cell(fit.pool().count() + " x " + fit.pool().name() + ", "
                + fit.software().display()));
        return cells;
    }

    private static String context(int tokens, FormatFit fit) {
        if (tokens == 0) {
            return "does not fit";
        }
        return tokens == fit.mostTokens() ? "all " + tokens : String.valueOf(tokens);
    }

    private static TextTable.Cell cell(String text) {
        return new TextTable.Cell(text, false);
    }

    /// For machines.
    public JsonValue json() {
        List<JsonValue> rows = new ArrayList<>();
        for (FormatFit fit : answer.fits()) {
            JsonObject.Builder row = JsonObject.builder()
                    .put("device", fit.pool().device().id())
                    .put("devices", fit.pool().count())
                    .put("engine", fit.software().label())
                    .put("format", fit.format().label())
                    .put("formatIsPublished", PublishedFormat.is(fit.format(), request.architecture()))
                    .put("weightBytes", Quantity.json(fit.weights()))
                    .put("contextTokensAlone", fit.tokensAlone())
                    .put("contextTokens", fit.tokens())
                    .put("contextIsWhole", fit.tokens() == fit.mostTokens())
                    .put("sequences", fit.sequences())
                    .put("kvCacheBits", fit.kvBits());
            fit.plan().ifPresent(plan -> row.put("plan", ServingDocument.plan(plan)));
            rows.add(row.build());
        }
        JsonObject.Builder document = JsonObject.builder()
                .put("schema", 1)
                .put("kind", "fit")
                .put("model", request.model().name())
                .put("askedTokens", request.tokens())
                .put("concurrency", request.concurrency())
                .put("fits", answer.fits().stream().anyMatch(FormatFit::isAny))
                .put("formats", rows);
        answer.findRecommended()
                .ifPresent(fit -> document.put("recommendedFormat", fit.format().label()));
        return document.build();
    }
}
