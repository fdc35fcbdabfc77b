// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.plan;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.text.FixedText;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.cost.MemoryTerm;
import dev.muster.plan.cost.RuledOut;
import dev.muster.plan.cost.StepTerm;
import dev.muster.plan.cost.UsedCoefficient;
import dev.muster.plan.serving.ServingExplanation;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.training.TrainingExplanation;
import dev.muster.plan.training.TrainingPlan;
import dev.muster.report.terminal.Terminal;
import dev.muster.report.text.Quantity;
import dev.muster.report.text.Table;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;

/// The explanation of a plan: memory of a device, parts of the time, and the figures used.
record ExplanationText(Terminal terminal) {
    private static final double MICRO = 1e6;
    private static final double GIB = 1L << 30;
    private static final double GIGA = 1e9;
    private static final double TERA = 1e12;
    private static final int DIGITS = 4;

    static String of(ServingPlan plan, ServingExplanation explanation, Terminal terminal) {
        ExplanationText text = new ExplanationText(terminal);
        return text.memory(
                        "Memory of each device",
                        explanation.memory(),
                        plan.memory().total())
                + text.time("Time per output token (TPOT)", explanation.step(), ExplanationText::micros)
                + text.time(
                        "Time to first token (TTFT), on an idle replica",
                        explanation.timeToFirstToken(),
                        ExplanationText::micros)
                + text.ruledOut(explanation.ruledOut())
                + text.basis(plan.pool(), explanation.coefficients());
    }

    static String of(TrainingPlan plan, TrainingExplanation explanation, Terminal terminal) {
        ExplanationText text = new ExplanationText(terminal);
        return text.memory(
                        "Memory of the fullest device",
                        explanation.memory(),
                        plan.memory().total())
                + text.time(
                        "Time of a step on each device; rates are reached ones, of moves the exposed part",
                        explanation.step(),
                        PredictedFigures::time)
                + text.ruledOut(explanation.ruledOut())
                + text.basis(plan.cluster().pool(), explanation.coefficients());
    }

    private String ruledOut(List<RuledOut> better) {
        return better.isEmpty()
                ? ""
                : terminal.bold("Better layouts that the engine refuses") + "\n"
                        + new Table<RuledOut>(terminal)
                                .left("LAYOUT", RuledOut::layout)
                                .left("ENGINE", RuledOut::engine)
                                .flexible("BECAUSE", 0, one -> one.rule() + " (" + one.source() + ")")
                                .render(better)
                        + "\n";
    }

    private String memory(String title, List<MemoryTerm> terms, double total) {
        return terminal.bold(title) + "\n"
                + new Table<MemoryTerm>(terminal)
                        .left("WHAT", MemoryTerm::what)
                        .right("TAKES", term -> Quantity.ofBytes(term.bytes()))
                        .right("SHARE", 2, term -> Quantity.percent(term.bytes() / total, 0))
                        .flexible("BECAUSE", 0, MemoryTerm::how)
                        .render(terms)
                + "\n";
    }

    /// Returns the table of terms. A term that moves and computes takes the longer of both, slightly more if they are
    /// close.
    ///
    /// @param duration format of times
    private String time(String title, List<StepTerm> terms, DoubleFunction<String> duration) {
        double all = terms.stream().mapToDouble(StepTerm::seconds).sum();
        return terminal.bold(title) + "\n"
                + new Table<StepTerm>(terminal)
                        .left("PART", 1, term -> term.part().label())
                        .left("WHAT", StepTerm::what)
                        .right("TAKES", term -> duration.apply(term.seconds()))
                        .right("SHARE", 2, term -> Quantity.percent(term.seconds() / all, 0))
                        .right("MOVES", ExplanationText::moves)
                        .right("COMPUTES", ExplanationText::computes)
                        .right("FIXED", 3, term -> term.fixed() > 0 ? duration.apply(term.fixed()) : "")
                        .render(terms)
                + "\n";
    }

    private static String moves(StepTerm term) {
        return term.bytesPerSecond() > 0 ? rate(term.bytes() / GIGA, term.bytesPerSecond() / GIGA, "GB") : "";
    }

    private static String computes(StepTerm term) {
        return term.operationsPerSecond() > 0 && term.operations() > 0
                ? rate(term.operations() / TERA, term.operationsPerSecond() / TERA, "TFLOP")
                : "";
    }

    private static String rate(double amount, double perSecond, String unit) {
        return FixedText.of(amount, amount < 1 ? 4 : 2) + " " + unit + " at "
                + FixedText.of(perSecond, perSecond < 10 ? 2 : 0) + " " + unit + "/s";
    }

    private static String micros(double seconds) {
        return FixedText.of(MICRO * seconds, 0) + " us";
    }

    /// A figure that the plan uses, and its source.
    private record Figure(String name, double value, String source) {
        Figure(String name, double value, Reading<?> reading) {
            this(
                    name,
                    value,
                    reading instanceof Reading.Known<?>(var _, Provenance source) ? source.source() : "unknown");
        }

        String digits() {
            return value == 0
                    ? "none"
                    : new BigDecimal(value).round(new MathContext(DIGITS)).toString();
        }
    }

    private String basis(DevicePool pool, List<UsedCoefficient> coefficients) {
        DeviceFigures device = pool.device();
        List<Figure> figures = new ArrayList<>();
        figures.add(new Figure("memory, GiB", device.memory() / GIB, device.memorySize()));
        if (device.memoryFree().isKnown()) {
            figures.add(new Figure("memory free, GiB", device.free() / GIB, device.memoryFree()));
        }
        figures.add(new Figure("memory bandwidth, GB/s", device.bandwidth() / GIGA, device.memoryBandwidth()));
        figures.add(new Figure("16-bit peak, TFLOP/s", device.half() / TERA, device.halfRate()));
        figures.add(new Figure("8-bit peak, TFLOP/s", device.eight() / TERA, device.eightBitRate()));
        figures.add(new Figure("link, GB/s", device.link() / GIGA, device.linkRate()));
        coefficients.forEach(one ->
                figures.add(new Figure(one.name(), one.value(), one.basis().display())));
        return terminal.bold("Figures used") + "\n"
                + new Table<Figure>(terminal)
                        .left("NUMBER", Figure::name)
                        .right("VALUE", Figure::digits)
                        .left("IS", Figure::source)
                        .render(figures);
    }
}
