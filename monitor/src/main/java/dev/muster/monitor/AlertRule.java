// SPDX-License-Identifier: Apache-2.0
package dev.muster.monitor;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import dev.muster.core.DeviceId;
import dev.muster.core.text.FixedText;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import dev.muster.core.unit.Ratio;
import dev.muster.core.unit.Watts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A condition that raises a warning about a device: `memory>90%`, `free<2GiB`, `temperature>=85C`, `power>650W`,
/// `load>95%`. Immutable.
///
/// @param subject the observed quantity, by its full word
/// @param sign the comparison
/// @param unit the unit of the limit: `%`, `C`, `W`, or blank for bytes
/// @param limit the limit in that unit
/// @since 0.2
public record AlertRule(String subject, String sign, String unit, double limit) {
    /// The most rules that a text may have.
    public static final int MOST = 64;

    private static final double PERCENT = 100;
    private static final Pattern RULE =
            Pattern.compile("([a-z]+)(>=|<=|>|<)([0-9]{1,12}(?:\\.[0-9]{1,12})?)([A-Za-z%]*)");

    /// Reads rules with commas between.
    ///
    /// @throws IllegalArgumentException if one is none, or there are more than [#MOST]
    public static List<AlertRule> parse(String text) {
        List<AlertRule> rules = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            rules.add(parseOne(part.replace(" ", ""))
                    .orElseThrow(() -> new IllegalArgumentException("a rule is a fact, a sign "
                            + "and a limit, such as memory>90%, free<2GiB, temperature>85C, power>650W or load>95%, not '"
                            + part + "'")));
        }
        if (rules.size() > MOST) {
            throw new IllegalArgumentException(rules.size() + " rules are more than the " + MOST + " there may be");
        }
        return rules;
    }

    /// The default rules: the temperature at which devices slow down.
    public static List<AlertRule> defaults() {
        return parse("temperature>=90C");
    }

    private static Optional<AlertRule> parseOne(String text) {
        Matcher parts = RULE.matcher(text);
        if (!parts.matches()) {
            return Optional.empty();
        }
        String subject = switch (parts.group(1)) {
            case "mem" -> "memory";
            case "temp" -> "temperature";
            case "utilization" -> "load";
            default -> parts.group(1);
        };
        List<String> units = units(subject);
        String unit = parts.group(4);
        if (units.isEmpty()) {
            return Optional.empty();
        }
        if (unit.isEmpty() || units.contains(unit)) {
            String counted = unit.isEmpty() ? units.getFirst() : unit;
            return Optional.of(new AlertRule(subject, parts.group(2), counted, Double.parseDouble(parts.group(3))));
        }
        try {
            double bytes = Bytes.parse(parts.group(3) + unit).toDouble();
            return units.contains("")
                    ? Optional.of(new AlertRule(subject, parts.group(2), "", bytes))
                    : Optional.empty();
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /// The units of limits of a subject, the usual one first; empty for an unknown subject.
    private static List<String> units(String subject) {
        return switch (subject) {
            case "memory", "free" -> List.of("%", "");
            case "temperature" -> List.of("C");
            case "power" -> List.of("W", "%");
            case "load" -> List.of("%");
            default -> List.of();
        };
    }

    /// The alert of a device; empty while the rule does not hold or the value is unknown.
    public Optional<Alert> examine(AcceleratorProfile device) {
        return value(device)
                .filter(this::holds)
                .map(value -> new Alert(device.id(), subject + " " + text(value) + " " + sign + " " + text(limit)));
    }

    /// The alerts of all devices of a host, in their order.
    public static List<Alert> examine(List<AlertRule> rules, AcceleratorRegistry registry) {
        List<Alert> alerts = new ArrayList<>();
        for (AcceleratorProfile device : registry.profiles()) {
            for (AlertRule rule : rules) {
                rule.examine(device).ifPresent(alerts::add);
            }
        }
        return alerts;
    }

    /// The rule as it is written.
    @Override
    public String toString() {
        return subject + sign + (unit.isEmpty() ? text(limit).replace(" ", "") : FixedText.of(limit, 0) + unit);
    }

    /// A rule that holds.
    ///
    /// @param device of which device
    /// @param text the value and the limit, such as `memory 95 % > 90 %`
    /// @since 0.2
    public record Alert(DeviceId device, String text) {}

    private boolean holds(double value) {
        return switch (sign) {
            case ">=" -> value >= limit;
            case "<=" -> value <= limit;
            case ">" -> value > limit;
            default -> value < limit;
        };
    }

    private String text(double value) {
        boolean whole = value == Math.rint(value);
        return unit.isEmpty() ? FixedText.of(new Bytes((long) value)) : FixedText.of(value, whole ? 0 : 1) + " " + unit;
    }

    private Optional<Double> value(AcceleratorProfile device) {
        Optional<Double> memory = device.memory().find().map(Bytes::toDouble);
        Optional<Double> free = device.memoryFree().find().map(Bytes::toDouble);
        return switch (subject) {
            case "memory" ->
                share(
                        device.reading(DeviceFact.MEMORY_USED)
                                .find()
                                .map(Bytes::toDouble)
                                .or(() -> memory.flatMap(all -> free.map(rest -> all - rest))),
                        memory);
            case "free" -> share(free, memory);
            case "temperature" -> device.reading(DeviceFact.TEMPERATURE).find().map(Celsius::degrees);
            case "power" ->
                share(
                        device.reading(DeviceFact.POWER).find().map(Watts::value),
                        device.reading(DeviceFact.POWER_LIMIT).find().map(Watts::value));
            default ->
                device.reading(DeviceFact.UTILIZATION).find().map(Ratio::value).map(load -> load * PERCENT);
        };
    }

    /// A part, in percent of the whole where the limit is.
    private Optional<Double> share(Optional<Double> part, Optional<Double> whole) {
        return unit.equals("%")
                ? part.flatMap(some -> whole.filter(all -> all > 0).map(all -> some / all * PERCENT))
                : part;
    }
}
