// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.plan;

import static dev.muster.report.plan.PredictedFigures.figure;

import dev.muster.core.text.FixedText;
import dev.muster.core.unit.Bytes;
import dev.muster.plan.cost.Estimate;
import dev.muster.plan.cost.Rental;
import dev.muster.plan.training.TrainingBill;
import dev.muster.plan.training.TrainingLimits;
import dev.muster.plan.training.TrainingPlan;
import dev.muster.report.text.Quantity;

/// The cost of a whole training.
///
/// @param limits amount of training
/// @param plan the plan
/// @param bill time, energy and money
record TrainingBillText(TrainingLimits limits, TrainingPlan plan, TrainingBill bill) {
    private static final double MINUTE = 60;
    private static final double HOUR = 3600;
    private static final double DAY = 86_400;
    private static final double KILOWATT_HOUR = 3.6e6;
    private static final double MEGA = 1000;

    static TrainingBillText of(TrainingPlan plan) {
        TrainingLimits limits = plan.request().limits();
        return new TrainingBillText(limits, plan, TrainingBill.of(plan, limits.tokens()));
    }

    void add(FactLines lines) {
        lines.add(
                "training",
                tokens(limits.tokens()) + " tokens in " + time(bill.seconds()) + " without pauses, "
                        + figure(bill.deviceHours().p50()) + " device-hours"
                        + (limits.hasDeadline() ? "; at most " + time(limits.seconds()) + " are allowed" : ""));
        lines.add(
                "failures",
                "about " + figure(bill.failures()) + ", one in " + figure(limits.mtbfHours())
                        + " hours of a device; "
                        + (bill.checkpointEvery() < MINUTE
                                ? "a checkpoint"
                                : "best with a checkpoint every " + span(bill.checkpointEvery()))
                        + ", " + Quantity.of(new Bytes(Math.round(bill.checkpointBytes()))) + " in "
                        + span(bill.checkpointSeconds()) + ", and a restart in " + span(limits.restartSeconds()));
        lines.add(
                "with them",
                time(bill.elapsed()) + ", goodput " + FixedText.of(100 * bill.goodput(), 1) + " %"
                        + bill.usdElapsed()
                                .find()
                                .map(usd -> ", " + figure(usd) + " USD")
                                .orElse(""));
        lines.add("costs", plan.rental(), this::costs);
        lines.add(
                "energy",
                bill.joules(),
                joules -> energy(joules) + ", devices only; idle power is assumed to be a tenth of their limit");
    }

    private String costs(Rental rental) {
        Estimate usd = bill.usd().find().orElseThrow();
        return figure(usd) + " USD to rent " + rental.instances() + " x "
                + rental.offer().instance() + " of "
                + rental.offer().provider().display() + " for so long, a price "
                + rental.priceAge()
                + (limits.hasBudget() ? "; at most " + figure(limits.usd()) + " are allowed" : "");
    }

    private static String span(double seconds) {
        return seconds < MINUTE
                ? figure(seconds) + " s"
                : seconds < HOUR ? figure(seconds / MINUTE) + " min" : figure(seconds / HOUR) + " h";
    }

    private static String energy(Estimate joules) {
        Estimate hours = joules.times(1 / KILOWATT_HOUR);
        return hours.p50() >= MEGA ? figure(hours.times(1 / MEGA)) + " MWh" : figure(hours) + " kWh";
    }

    private static String time(Estimate seconds) {
        boolean isDays = seconds.p50() >= DAY;
        return figure(seconds.times(1 / (isDays ? DAY : HOUR))) + (isDays ? " days" : " hours");
    }

    private static String time(double seconds) {
        return seconds >= DAY ? figure(seconds / DAY) + " days" : figure(seconds / HOUR) + " hours";
    }

    private static String tokens(double tokens) {
        double unit = tokens >= 1e12 ? 1e12 : tokens >= 1e9 ? 1e9 : tokens >= 1e6 ? 1e6 : 1;
        String name = unit == 1e12 ? " T" : unit == 1e9 ? " B" : unit == 1e6 ? " M" : "";
        return FixedText.of(tokens / unit, unit == 1 ? 0 : 2) + name;
    }
}
