// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.sentence;

import dev.muster.core.text.FixedText;
import dev.muster.model.memory.WeightFormat;
import dev.muster.plan.answer.Remedy;
import dev.muster.plan.cost.Rental;
import dev.muster.plan.cost.TrainingRun.Offload;
import dev.muster.plan.serving.ServingLoad;
import dev.muster.plan.serving.Slo.Objective;
import dev.muster.plan.training.OffloadStore.Place;
import dev.muster.plan.training.TrainingMethod;
import dev.muster.report.text.Count;

/// Changes that meet a request as text.
final class ChangeText {
    private static final double DAY = 86_400;
    private static final double HOUR = 3600;
    private static final double MILLI = 1e3;
    private static final double GIB = 1 << 30;

    private ChangeText() {}

    static String of(Remedy.Change change) {
        Object value = change.value();
        return switch (change.key()) {
            case "inputTokens" -> "prompts of " + value + " tokens" + instead(change.instead());
            case "sequenceTokens" -> "sequences of " + value + " tokens" + instead(change.instead());
            case "concurrency" -> Count.of((int) value, "sequence") + " at once" + instead(change.instead());
            case "formats" ->
                "weights as " + ((WeightFormat) value).label() + instead(((WeightFormat) change.instead()).label());
            case "method" ->
                ((TrainingMethod) value).display() + instead(((TrainingMethod) change.instead()).display());
            case "users", "burst", "requestsPerSecond" ->
                ((ServingLoad) value).display() + instead(((ServingLoad) change.instead()).display());
            case "ttft", "tpot", "latency" -> "a target of " + ((Objective) value).display();
            case "maxTtftSeconds" -> "a TTFT limit of " + FixedText.of(MILLI * (double) value, 1) + " ms";
            case "maxTpotSeconds" -> "a TPOT limit of " + FixedText.of(MILLI * (double) value, 1) + " ms";
            case "budgetUsdPerHour" -> "a budget of " + FixedText.of((double) value, 2) + " USD an hour";
            case "budgetUsd" -> "a budget of " + Math.round((double) value) + " USD";
            case "deadlineSeconds" -> "a deadline of " + time((double) value);
            case "tokens" -> number((double) value) + " tokens";
            default -> change.key() + " " + value + instead(change.instead());
        };
    }

    private static String instead(Object other) {
        return " instead of " + other;
    }

    static String of(Remedy.OffloadedStates states) {
        return (states.states() == Offload.ALL ? "all states on the " : "the optimizer's states on the ")
                + (states.place() == Place.HOST ? "host" : "host's drives") + " with "
                + states.framework().display() + ", " + Math.round(states.bytesPerDevice() / GIB)
                + " GiB of it for each device";
    }

    static String of(Rental rental) {
        return rental.offer().instance() + " of " + rental.offer().provider().display() + " ("
                + rental.offer().count() + " x " + rental.offer().accelerator() + ") for "
                + FixedText.of(rental.offer().onDemand().amount(), 2) + " USD an hour, a price " + rental.priceAge();
    }

    private static String time(double seconds) {
        return seconds < DAY ? FixedText.of(seconds / HOUR, 1) + " hours" : FixedText.of(seconds / DAY, 1) + " days";
    }

    private static String number(double value) {
        double unit = value >= 1e12 ? 1e12 : value >= 1e9 ? 1e9 : value >= 1e6 ? 1e6 : 1;
        String name = value >= 1e12 ? " T" : value >= 1e9 ? " B" : value >= 1e6 ? " M" : "";
        return FixedText.of(value / unit, unit == 1 ? 0 : 2) + name;
    }
}
