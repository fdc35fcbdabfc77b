package dev.muster.cli.model;

import static dev.muster.cli.model.PredictedFigures.percent;

import dev.muster.cli.render.Quantity;
import dev.muster.cli.render.Terminal;
import dev.muster.cli.render.TextTable;
import dev.muster.core.FixedText;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.plan.answer.DevicePool;
import dev.muster.plan.answer.MemoryTerm;
import dev.muster.plan.answer.UsedCoefficient;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.StepTerm;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.function.DoubleFunction;

/// Tables and documents of the arithmetic of plans.
final class ExplanationTables {
    private static final double MICRO = 1e6;
    private static final double GIB = 1L << 30;
    private static final double GIGA = 1e9;
    private static final double TERA = 1e12;
    private static final int DIGITS = 4;

    private ExplanationTables() {}

    /// What a device holds.
    static String memory(List<MemoryTerm> terms, double total, Terminal terminal) {
        TextTable table = new TextTable(
                terminal,
                List.of(
                        new TextTable.Column("WHAT", false, 0, false),
                        new TextTable.Column("TAKES", true, 0, false),
                        new TextTable.Column("SHARE", true, 2, false),
                        new TextTable.Column("BECAUSE", false, 0, true)));
        for (MemoryTerm term : terms) {
            table.add(List.of(
                    cell(term.what()),
                    cell(Quantity.of(Bytes.of(Math.round(term.bytes())))),
                    cell(percent(term.bytes() / total)),
                    cell(term.how())));
        }
        return table.render(true);
    }

    /// What moves and computes takes the longer of both, a little more where they are near.
    ///
    /// @param duration how times are written
    static String time(List<StepTerm> terms, DoubleFunction<String> duration, Terminal terminal) {
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
                    cell(duration.apply(term.seconds())),
                    cell(percent(term.seconds() / all)),
                    cell(
                            term.bytesPerSecond() > 0
                                    ? rate(term.bytes() / GIGA, term.bytesPerSecond() / GIGA, "GB")
                                    : ""),
                    cell(
                            term.operationsPerSecond() > 0 && term.operations() > 0
                                    ? rate(term.operations() / TERA, term.operationsPerSecond() / TERA, "TFLOP")
                                    : ""),
                    cell(term.fixed() > 0 ? duration.apply(term.fixed()) : "")));
        }
        return table.render(true);
    }

    private static String rate(double amount, double perSecond, String unit) {
        return FixedText.of(amount, amount < 1 ? 4 : 2) + " " + unit + " at "
                + FixedText.of(perSecond, perSecond < 10 ? 2 : 0) + " " + unit + "/s";
    }

    static String micros(double seconds) {
        return FixedText.of(MICRO * seconds, 0) + " us";
    }

    /// The numbers that it rests on.
    static String basis(DevicePool pool, List<UsedCoefficient> coefficients, Terminal terminal) {
        DeviceFigures device = pool.device();
        TextTable table = new TextTable(
                terminal,
                List.of(
                        new TextTable.Column("NUMBER", false, 0, false),
                        new TextTable.Column("VALUE", true, 0, false),
                        new TextTable.Column("IS", false, 0, false)));
        add(table, "memory, GiB", device.memory() / GIB, source(device.memorySize()));
        if (device.memoryFree().isKnown()) {
            add(table, "memory free, GiB", device.free() / GIB, source(device.memoryFree()));
        }
        add(table, "memory bandwidth, GB/s", device.bandwidth() / GIGA, source(device.memoryBandwidth()));
        add(table, "16-bit peak, TFLOP/s", device.half() / TERA, source(device.halfRate()));
        add(table, "8-bit peak, TFLOP/s", device.eight() / TERA, source(device.halfRate()));
        add(table, "link, GB/s", device.link() / GIGA, source(device.linkRate()));
        for (UsedCoefficient one : coefficients) {
            add(table, one.name(), one.value(), one.basis().display());
        }
        return table.render(true);
    }

    /// Where a figure comes from.
    private static String source(Reading<?> reading) {
        return reading instanceof Reading.Known<?>(var _, Provenance source) ? source.source() : "unknown";
    }

    private static void add(TextTable table, String name, double value, String source) {
        String digits = new BigDecimal(value).round(new MathContext(DIGITS)).toString();
        table.add(List.of(cell(name), cell(value == 0 ? "none" : digits), cell(source)));
    }

    private static TextTable.Cell cell(String text) {
        return new TextTable.Cell(text, false);
    }
}
