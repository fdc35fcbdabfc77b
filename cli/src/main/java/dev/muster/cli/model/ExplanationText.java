package dev.muster.cli.model;

import static dev.muster.cli.model.PredictedFigures.percent;

import dev.muster.cli.render.Quantity;
import dev.muster.cli.render.Terminal;
import dev.muster.cli.render.TextTable;
import dev.muster.core.FixedText;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.unit.Bytes;
import dev.muster.plan.search.MemoryTerm;
import dev.muster.plan.search.ServingExplanation;
import dev.muster.plan.search.ServingPlan;
import dev.muster.plan.search.UsedCoefficient;
import dev.muster.plan.time.DeviceFigures;
import dev.muster.plan.time.StepTerm;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;

/// The arithmetic of a plan.
///
/// @param plan the plan
/// @param explanation what its figures are made of
public record ExplanationText(ServingPlan plan, ServingExplanation explanation) {
    private static final double MICRO = 1e6;
    private static final double GIGA = 1e9;
    private static final double TERA = 1e12;
    private static final int DIGITS = 4;

    /// For people.
    String text(Terminal terminal) {
        return terminal.bold("Memory of each device") + "\n" + memory(terminal) + "\n"
                + terminal.bold("Time between two tokens") + "\n" + time(explanation.step(), terminal) + "\n"
                + terminal.bold("Time until the first token, on an idle copy") + "\n"
                + time(explanation.firstToken(), terminal) + "\n"
                + terminal.bold("What this rests on") + "\n" + basis(terminal);
    }

    private String memory(Terminal terminal) {
        TextTable table = new TextTable(
                terminal,
                List.of(
                        new TextTable.Column("WHAT", false, 0, false),
                        new TextTable.Column("TAKES", true, 0, false),
                        new TextTable.Column("SHARE", true, 2, false),
                        new TextTable.Column("BECAUSE", false, 0, true)));
        for (MemoryTerm term : explanation.memory()) {
            table.add(List.of(
                    cell(term.what()),
                    cell(Quantity.of(Bytes.of(Math.round(term.bytes())))),
                    cell(percent(term.bytes() / plan.memory().total())),
                    cell(term.how())));
        }
        return table.render(true);
    }

    /// What moves and computes takes the longer of both, a little more where they are near.
    private static String time(List<StepTerm> terms, Terminal terminal) {
        double all = terms.stream().mapToDouble(StepTerm::seconds).sum();
        TextTable table = new TextTable(
                terminal,
                List.of(
                        new TextTable.Column("PART", false, 1, false),
                        new TextTable.Column("WHAT", false, 0, false),
                        new TextTable.Column("TAKES", true, 0, false),
                        new TextTable.Column("SHARE", true, 2, false),
                        new TextTable.Column("MOVES", true, 0, false),
                        new TextTable.Column("COMPUTES", true, 0, false),
                        new TextTable.Column("FIXED", true, 3, false)));
        for (StepTerm term : terms) {
            table.add(List.of(
                    cell(term.part().label()),
                    cell(term.what()),
                    cell(micros(term.seconds())),
                    cell(percent(term.seconds() / all)),
                    cell(
                            term.bytesPerSecond() > 0
                                    ? rate(term.bytes() / GIGA, term.bytesPerSecond() / GIGA, "GB")
                                    : ""),
                    cell(
                            term.operationsPerSecond() > 0 && term.operations() > 0
                                    ? rate(term.operations() / TERA, term.operationsPerSecond() / TERA, "TFLOP")
                                    : ""),
                    cell(term.fixed() > 0 ? micros(term.fixed()) : "")));
        }
        return table.render(true);
    }

    private static String rate(double amount, double perSecond, String unit) {
        return FixedText.of(amount, amount < 1 ? 4 : 2) + " " + unit + " at "
                + FixedText.of(perSecond, perSecond < 10 ? 2 : 0) + " " + unit + "/s";
    }

    private static String micros(double seconds) {
        return FixedText.of(MICRO * seconds, 0) + " us";
    }

    private String basis(Terminal terminal) {
        DeviceFigures device = plan.pool().device();
        String source = plan.pool().isMeasured() ? "measured here" : "data sheet";
        TextTable table = new TextTable(
                terminal,
                List.of(
                        new TextTable.Column("NUMBER", false, 0, false),
                        new TextTable.Column("VALUE", true, 0, false),
                        new TextTable.Column("IS", false, 0, false)));
        add(table, "memory bandwidth, GB/s", device.bandwidth() / GIGA, source);
        add(table, "16-bit peak, TFLOP/s", device.half() / TERA, source);
        add(table, "8-bit peak, TFLOP/s", device.eight() / TERA, source);
        add(table, "link, GB/s", device.link() / GIGA, "data sheet");
        for (UsedCoefficient one : explanation.coefficients()) {
            add(table, one.name(), one.value(), one.basis().display());
        }
        return table.render(true);
    }

    private static void add(TextTable table, String name, double value, String source) {
        String digits = new BigDecimal(value).round(new MathContext(DIGITS)).toString();
        table.add(List.of(cell(name), cell(value == 0 ? "none" : digits), cell(source)));
    }

    private static TextTable.Cell cell(String text) {
        return new TextTable.Cell(text, false);
    }

    /// For machines.
    JsonValue json() {
        List<JsonValue> memory = new ArrayList<>();
        for (MemoryTerm term : explanation.memory()) {
            memory.add(JsonObject.builder()
                    .put("part", term.part().label())
                    .put("what", term.what())
                    .put("bytes", Math.round(term.bytes()))
                    .put("because", term.how())
                    .build());
        }
        List<JsonValue> coefficients = new ArrayList<>();
        for (UsedCoefficient one : explanation.coefficients()) {
            coefficients.add(JsonObject.builder()
                    .put("name", one.name())
                    .put("value", JsonNumber.of(one.value()))
                    .put("basis", one.basis().label())
                    .build());
        }
        return JsonObject.builder()
                .put("memory", memory)
                .put("step", times(explanation.step()))
                .put("firstToken", times(explanation.firstToken()))
                .put("coefficients", coefficients)
                .build();
    }

    private static List<JsonValue> times(List<StepTerm> terms) {
        List<JsonValue> times = new ArrayList<>();
        for (StepTerm term : terms) {
            times.add(JsonObject.builder()
                    .put("part", term.part().label())
                    .put("what", term.what())
                    .put("seconds", JsonNumber.of(term.seconds()))
                    .put("bytes", JsonNumber.of(term.bytes()))
                    .put("bytesPerSecond", JsonNumber.of(term.bytesPerSecond()))
                    .put("operations", JsonNumber.of(term.operations()))
                    .put("operationsPerSecond", JsonNumber.of(term.operationsPerSecond()))
                    .put("fixedSeconds", JsonNumber.of(term.fixed()))
                    .build());
        }
        return times;
    }
}
