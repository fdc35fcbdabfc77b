package dev.muster.cli;

import dev.muster.cli.render.Printable;
import dev.muster.cli.render.Quantity;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.FixedText;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import dev.muster.core.unit.Ratio;
import dev.muster.core.unit.Watts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// When people are told about a device: `memory>90%`, `free<2GiB`, `temperature>=85C`, `power>650W`, `load>95%`.
///
/// @param subject what is looked at
/// @param sign the comparison
/// @param unit what the limit is counted in
/// @param limit the limit in that unit
record AlertRule(Subject subject, Sign sign, Unit unit, double limit) {
    private static final double PERCENT = 100;
    private static final int MAX_NUMBER = 12;

    /// What can be looked at.
    enum Subject {
        MEMORY("memory", Unit.PERCENT, Unit.BYTES),
        FREE("free", Unit.PERCENT, Unit.BYTES),
        TEMPERATURE("temperature", Unit.CELSIUS, Unit.CELSIUS),
        POWER("power", Unit.WATTS, Unit.PERCENT),
        LOAD("load", Unit.PERCENT, Unit.PERCENT);

        private final String word;
        private final Unit usual;
        private final Unit other;

        Subject(String word, Unit usual, Unit other) {
            this.word = word;
            this.usual = usual;
            this.other = other;
        }

        private boolean has(Unit unit) {
            return unit == usual || unit == other;
        }
    }

    /// How value and limit are compared; longer signs first.
    enum Sign {
        AT_LEAST(">="),
        AT_MOST("<="),
        ABOVE(">"),
        BELOW("<");

        private final String text;

        Sign(String text) {
            this.text = text;
        }

        private boolean holds(double value, double limit) {
            return switch (this) {
                case AT_LEAST -> value >= limit;
                case AT_MOST -> value <= limit;
                case ABOVE -> value > limit;
                case BELOW -> value < limit;
            };
        }
    }

    /// What a limit is counted in.
    enum Unit {
        PERCENT("%"),
        CELSIUS("C"),
        WATTS("W"),
        BYTES("");

        private final String suffix;

        Unit(String suffix) {
            this.suffix = suffix;
        }
    }

    /// Reads rules with commas between.
    ///
    /// @throws UsageException if one is none
    static List<AlertRule> parse(String text) {
        List<AlertRule> rules = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            rules.add(parseOne(part.replace(" ", ""))
                    .orElseThrow(() -> new UsageException("--alert is a fact, a sign "
                            + "and a limit, such as memory>90%, free<2GiB, temperature>85C, power>650W or load>95%, not '"
                            + Printable.of(part) + "'")));
        }
        return rules;
    }

    private static Optional<AlertRule> parseOne(String text) {
        for (Sign sign : Sign.values()) {
            int at = text.indexOf(sign.text);
            if (at > 0) {
                Optional<Subject> subject = subject(text.substring(0, at));
                String limit = text.substring(at + sign.text.length());
                return subject.flatMap(known -> rule(known, sign, limit));
            }
        }
        return Optional.empty();
    }

    private static Optional<Subject> subject(String word) {
        String known = switch (word) {
            case "mem" -> "memory";
            case "temp" -> "temperature";
            case "utilization" -> "load";
            default -> word;
        };
        for (Subject subject : Subject.values()) {
            if (subject.word.equals(known)) {
                return Optional.of(subject);
            }
        }
        return Optional.empty();
    }

    private static Optional<AlertRule> rule(Subject subject, Sign sign, String limit) {
        for (Unit unit : List.of(Unit.PERCENT, Unit.CELSIUS, Unit.WATTS)) {
            if (limit.endsWith(unit.suffix)) {
                String number = limit.substring(0, limit.length() - unit.suffix.length());
                return subject.has(unit)
                        ? number(number).map(value -> new AlertRule(subject, sign, unit, value))
                        : Optional.empty();
            }
        }
        Optional<Double> bare = number(limit);
        if (bare.isPresent()) {
            return Optional.of(new AlertRule(subject, sign, subject.usual, bare.get()));
        }
        try {
            return subject.has(Unit.BYTES)
                    ? Optional.of(new AlertRule(
                            subject, sign, Unit.BYTES, Bytes.parse(limit).toDouble()))
                    : Optional.empty();
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private static Optional<Double> number(String text) {
        boolean digits = !text.isEmpty()
                && text.length() <= MAX_NUMBER
                && text.chars().allMatch(c -> (c >= '0' && c <= '9') || c == '.')
                && text.chars().filter(c -> c == '.').count() <= 1
                && !text.equals(".");
        return digits ? Optional.of(Double.parseDouble(text)) : Optional.empty();
    }

    /// What to say about a device; nothing while the rule does not hold or the value is not known.
    Optional<String> examine(AcceleratorProfile device) {
        return value(device)
                .filter(value -> sign.holds(value, limit))
                .map(value -> "alert: " + Printable.of(device.id().text()) + " " + subject.word + " " + text(value)
                        + " " + sign.text + " " + text(limit));
    }

    private String text(double value) {
        if (unit == Unit.BYTES) {
            return Quantity.of(new Bytes((long) value));
        }
        boolean whole = value == Math.rint(value);
        return FixedText.of(value, whole ? 0 : 1) + " " + unit.suffix;
    }

    private Optional<Double> value(AcceleratorProfile device) {
        return switch (subject) {
            case MEMORY -> ofMemory(device, used(device));
            case FREE -> ofMemory(device, device.memoryFree().find().map(Bytes::toDouble));
            case TEMPERATURE -> device.reading(DeviceFact.TEMPERATURE).find().map(Celsius::degrees);
            case POWER -> power(device);
            case LOAD ->
                device.reading(DeviceFact.UTILIZATION).find().map(Ratio::value).map(share -> share * PERCENT);
        };
    }

    private static Optional<Double> used(AcceleratorProfile device) {
        Optional<Double> total = device.memory().find().map(Bytes::toDouble);
        Optional<Double> free = device.memoryFree().find().map(Bytes::toDouble);
        return device.reading(DeviceFact.MEMORY_USED)
                .find()
                .map(Bytes::toDouble)
                .or(() -> total.flatMap(all -> free.map(rest -> all - rest)));
    }

    private Optional<Double> ofMemory(AcceleratorProfile device, Optional<Double> bytes) {
        if (unit == Unit.BYTES) {
            return bytes;
        }
        Optional<Bytes> total = device.memory().find().filter(all -> !all.isZero());
        return bytes.flatMap(part -> total.map(all -> part / all.toDouble() * PERCENT));
    }

    private Optional<Double> power(AcceleratorProfile device) {
        Optional<Double> drawn = device.reading(DeviceFact.POWER).find().map(Watts::value);
        if (unit == Unit.WATTS) {
            return drawn;
        }
        Optional<Double> limited =
                device.reading(DeviceFact.POWER_LIMIT).find().map(Watts::value).filter(most -> most > 0);
        return drawn.flatMap(now -> limited.map(most -> now / most * PERCENT));
    }
}
