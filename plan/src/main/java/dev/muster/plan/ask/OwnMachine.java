// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.ask;

import dev.muster.model.CatalogueException;
import dev.muster.model.table.CsvRow;
import dev.muster.model.table.CsvTable;
import dev.muster.plan.cost.Estimate;
import dev.muster.plan.serving.ServingPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A machine of the user's own, which costs its write-off and its electricity.
///
/// @param name its name
/// @param machine its devices, as hypothetical machines are written
/// @param priceUsd purchase price; 0 if it is paid
/// @param years years of the write-off
/// @param watts power at work; empty for that of its devices, as predicted for the plan
record OwnMachine(String name, String machine, double priceUsd, double years, Optional<Double> watts) {
    private static final List<String> REQUIRED = List.of("name", "machine");
    private static final List<String> OPTIONAL = List.of("price_usd", "years", "watts");
    private static final double USUAL_YEARS = 3;
    private static final double HOURS_PER_YEAR = 8760;
    private static final double WATTS_PER_KILOWATT = 1000;
    private static final long MOST_USD = 1_000_000_000_000L;
    private static final int MOST_YEARS = 100;
    private static final int MOST_WATTS = 100_000_000;
    private static final int MOST_MACHINES = 1000;

    /// Returns a table of machines, if it is one.
    ///
    /// @throws IllegalArgumentException if it is none
    static String checked(String text) {
        try {
            read(text, USUAL_YEARS);
            return text;
        } catch (CatalogueException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /// Returns the machines of a question.
    static List<OwnMachine> of(ParameterValues values) {
        double years = values.find(Parameters.YEARS).orElse(USUAL_YEARS);
        List<OwnMachine> machines = new ArrayList<>();
        values.find(Parameters.OWN)
                .ifPresent(machine -> machines.add(new OwnMachine(
                        machine,
                        machine,
                        values.find(Parameters.PURCHASE_PRICE).orElse(0.0),
                        years,
                        Optional.empty())));
        values.find(Parameters.OWN_MACHINES).ifPresent(text -> machines.addAll(read(text, years)));
        return machines;
    }

    private static List<OwnMachine> read(String text, double usualYears) {
        List<OwnMachine> machines = new ArrayList<>();
        for (CsvRow row : CsvTable.parse(text).checked(REQUIRED, OPTIONAL).rows()) {
            if (machines.size() == MOST_MACHINES) {
                throw row.error("a list has at most " + MOST_MACHINES + " machines");
            }
            machines.add(new OwnMachine(
                    row.require("name"),
                    row.require("machine"),
                    row.findPositive("price_usd", MOST_USD).orElse(0.0),
                    row.findPositive("years", MOST_YEARS).orElse(usualYears),
                    row.findPositive("watts", MOST_WATTS)));
        }
        return machines;
    }

    /// Returns the dollars of an hour at work; 0 if the machine is paid and electricity is not counted.
    ///
    /// @throws QuestionException if electricity counts and the power is unknown
    double usdPerHour(ServingPlan plan, ParameterValues values) {
        double writeOff = priceUsd / (years * HOURS_PER_YEAR);
        Optional<Double> kwh = values.find(Parameters.KWH);
        if (kwh.isEmpty()) {
            return writeOff;
        }
        double power = watts.or(() -> draw(plan))
                .orElseThrow(() -> QuestionException.of(
                        "the power of '{}' is unknown; state it as watts in {}", name, Parameters.OWN_MACHINES));
        return writeOff + kwh.get() * values.find(Parameters.PUE).orElse(1.0) * power / WATTS_PER_KILOWATT;
    }

    /// Returns the predicted power of the devices of a plan. Those that it leaves out are not counted.
    private static Optional<Double> draw(ServingPlan plan) {
        return plan.joulesPerToken()
                .find()
                .map(Estimate::p50)
                .map(joules -> joules * plan.tokensPerSecond().p50());
    }
}
