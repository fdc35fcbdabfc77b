package dev.muster.cli.model;

import dev.muster.cli.render.Count;
import dev.muster.cli.render.Quantity;
import dev.muster.cli.render.Terminal;
import dev.muster.cli.render.TextTable;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.plan.ModelSummary;
import dev.muster.plan.memory.PublishedFormat;
import dev.muster.plan.search.FormatFit;
import dev.muster.plan.search.ServingRequest;
import java.util.ArrayList;
import java.util.List;

/// How much context and how many sequences of a model fit on devices.
///
/// @param model the model
/// @param request what was asked
/// @param fits what fits, for each kind of device and format
public record FitText(ModelSummary model, ServingRequest request, List<FormatFit> fits) {
    /// Copies the list.
    public FitText {
        fits = List.copyOf(fits);
    }

    /// For people.
    public String text(Terminal terminal) {
        FactLines lines = new FactLines(terminal).title(model.name());
        lines.add("parameters", model.parameters(), CheckpointText::parameters);
        lines.add("asked", Count.of(request.concurrency(), "sequence") + " of " + tokens() + " tokens");
        List<TextTable.Column> columns = new ArrayList<>(List.of(
                new TextTable.Column("FORMAT", false, 0, false),
                new TextTable.Column("WEIGHTS", true, 1, false),
                new TextTable.Column("CONTEXT OF 1", true, 0, false)));
        if (request.concurrency() > 1) {
            columns.add(new TextTable.Column("CONTEXT OF " + request.concurrency(), true, 0, false));
        }
        columns.add(new TextTable.Column("SEQUENCES OF " + tokens(), true, 0, false));
        columns.add(new TextTable.Column("ON", false, 0, true));
        TextTable table = new TextTable(terminal, columns);
        fits.forEach(fit -> table.add(row(fit)));
        return lines + "\n" + table.render(true)
                + terminal.dim("Tokens that memory has room for; speed is not asked for here: see 'muster plan'.\n");
    }

    private int tokens() {
        return request.input() + request.output();
    }

    private List<TextTable.Cell> row(FormatFit fit) {
        List<TextTable.Cell> cells = new ArrayList<>(List.of(
                cell(RequestText.format(fit.format(), request.architecture())),
                cell(Quantity.of(fit.weights())),
                cell(context(fit.tokensAlone(), fit))));
        if (request.concurrency() > 1) {
            cells.add(cell(context(fit.tokens(), fit)));
        }
        cells.add(cell(fit.sequences() == 0 ? "none" : String.valueOf(fit.sequences())));
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
        for (FormatFit fit : fits) {
            rows.add(JsonObject.builder()
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
                    .build());
        }
        return JsonObject.builder()
                .put("schema", 1)
                .put("kind", "fit")
                .put("model", model.name())
                .put("askedTokens", tokens())
                .put("concurrency", request.concurrency())
                .put("fits", fits.stream().anyMatch(FormatFit::isAny))
                .put("formats", rows)
                .build();
    }
}
