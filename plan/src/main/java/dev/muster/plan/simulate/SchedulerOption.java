// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.simulate;

import dev.muster.model.table.CsvRow;
import dev.muster.model.table.CsvTable;
import dev.muster.plan.simulate.SchedulerPolicy.Prompts;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// An option of an engine that changes how it schedules, by the name that the engine gives it:
/// the table `scheduler-options.csv` has the names.
public enum SchedulerOption {
    /// Tokens of a step.
    TOKEN_BUDGET("token-budget"),
    /// Sequences that run.
    SEQUENCES("sequences"),
    /// Prompts in steps that decode.
    MIXED("mixed"),
    /// Prompts that are cut.
    CHUNKED("chunked"),
    /// Steps between two looks at new requests.
    POLLING("polling"),
    /// Steps for which new prompts wait.
    WAITING("waiting"),
    /// Share of the budget that ends it.
    WAITING_SHARE("waiting-share"),
    /// Tokens that are sent at once.
    STREAMING("streaming");

    private static final int MOST = 1 << 20;
    private static final List<String> COLUMNS = List.of("engine", "option", "name", "source");

    /// By option, the name that each engine gives it.
    private static final Map<SchedulerOption, Map<String, String>> NAMES = names();

    private final String label;

    SchedulerOption(String label) {
        this.label = label;
    }

    private static Map<SchedulerOption, Map<String, String>> names() {
        Map<SchedulerOption, Map<String, String>> names = new EnumMap<>(SchedulerOption.class);
        CsvTable table = CsvTable.parse(CsvTable.resource(SchedulerOption.class, "scheduler-options.csv"))
                .checked(COLUMNS, List.of());
        for (CsvRow row : table.rows()) {
            names.computeIfAbsent(
                            row.requireNamed("option", values(), option -> option.label), _ -> new LinkedHashMap<>())
                    .put(row.require("engine"), row.require("name"));
        }
        return names;
    }

    private Map<String, String> ownNames() {
        return NAMES.getOrDefault(this, Map.of());
    }

    /// Returns the engine's name of the option; empty if it has no such option.
    public Optional<String> findName(String engine) {
        return Optional.ofNullable(ownNames().get(engine));
    }

    public boolean isNamed(String name) {
        return ownNames().containsValue(name.replace('_', '-'));
    }

    private static List<String> listNames() {
        Set<String> all = new LinkedHashSet<>();
        for (SchedulerOption option : values()) {
            all.addAll(option.ownNames().values());
        }
        return List.copyOf(all);
    }

    /// Returns the option with a name, with hyphens or underscores.
    private static Optional<SchedulerOption> find(String name) {
        for (SchedulerOption option : values()) {
            if (option.isNamed(name)) {
                return Optional.of(option);
            }
        }
        return Optional.empty();
    }

    /// Returns the policy with another value of an option.
    ///
    /// @throws IllegalArgumentException if the option is unknown, or the value is not valid
    public static SchedulerPolicy apply(SchedulerPolicy policy, String name, String value) {
        SchedulerOption option = find(name)
                .orElseThrow(() -> new IllegalArgumentException("no option '" + name
                        + "' of a scheduler is known; there" + " are " + String.join(", ", listNames())));
        try {
            return option.apply(policy, value);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(name + " is '" + value + "'; " + e.getMessage(), e);
        }
    }

    private SchedulerPolicy apply(SchedulerPolicy policy, String value) {
        return new SchedulerPolicy(
                policy.engine(),
                policy.release(),
                this == MIXED ? (isOn(value) ? Prompts.MIXED : Prompts.ALONE) : policy.prompts(),
                this == CHUNKED ? isOn(value) : policy.isChunked(),
                this == TOKEN_BUDGET ? count(value) : policy.tokenBudget(),
                this == SEQUENCES ? count(value) : policy.maxSequences(),
                policy.newOutputShare(),
                policy.runningOutputShare(),
                this == POLLING ? count(value) : policy.pollSteps(),
                this == WAITING ? count(value) : policy.waitSteps(),
                this == WAITING_SHARE ? share(value) : policy.waitShare(),
                this == STREAMING ? count(value) : policy.streamInterval(),
                policy.source());
    }

    private static boolean isOn(String value) {
        return switch (value) {
            case "on", "true", "yes", "1", "" -> true;
            case "off", "false", "no", "0" -> false;
            default -> throw new IllegalArgumentException("write on or off");
        };
    }

    private static int count(String value) {
        try {
            int count = Integer.parseInt(value);
            if (count >= 1 && count <= MOST) {
                return count;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("write an integer from 1 to " + MOST, e);
        }
        throw new IllegalArgumentException("write an integer from 1 to " + MOST);
    }

    private static double share(String value) {
        try {
            double share = Double.parseDouble(value);
            if (share >= 0 && share <= 1) {
                return share;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("write a number from 0 to 1", e);
        }
        throw new IllegalArgumentException("write a number from 0 to 1");
    }
}
