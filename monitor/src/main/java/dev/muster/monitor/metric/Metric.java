// SPDX-License-Identifier: Apache-2.0
package dev.muster.monitor.metric;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/// A row of the table: a fact of a device, and what it is called by whom.
///
/// @param fact the fact behind the number
/// @param kind the kind of number
/// @param value the number in the fact's base unit, or NaN where it is unknown
/// @param label the label of a row without a number; empty for rows with one
/// @param muster Muster's name
/// @param dcgm DCGM's name
/// @param otel OpenTelemetry's name
record Metric(
        DeviceFact<?> fact,
        MetricKind kind,
        Value value,
        Optional<TextLabel> label,
        Name muster,
        Name dcgm,
        Name otel) {
    /// A metric in one naming.
    ///
    /// @param name the name as Prometheus spells it, without `_total`; blank where the naming has none
    /// @param help one sentence with the unit
    /// @param labels further labels, as they stand in the text, such as `domain="memory"`; blank for none
    /// @param scale the number of the naming's units in the base unit
    /// @param original the name as OpenTelemetry spells it; blank for others
    /// @param unit OpenTelemetry's unit; blank for others
    record Name(String name, String help, String labels, double scale, String original, String unit) {
        static final Name NONE = new Name("", "", "", 1, "", "");

        boolean isNone() {
            return name.isEmpty();
        }
    }

    /// Asks a device for a number.
    @FunctionalInterface
    interface Value {
        double of(AcceleratorProfile device);
    }

    /// A label whose value a device tells.
    ///
    /// @param key the label's name
    /// @param text its value; empty if it is unknown, and then the sample is left out
    record TextLabel(String key, Function<AcceleratorProfile, Optional<String>> text) {}

    Name name(MetricNames names) {
        return switch (names) {
            case MUSTER -> muster;
            case DCGM -> dcgm;
            case OTEL -> otel;
        };
    }

    static Metric gauge(DeviceFact<?> fact, String name, String help) {
        return number(fact, MetricKind.GAUGE, name, help);
    }

    static Metric counter(DeviceFact<?> fact, String name, String help) {
        return number(fact, MetricKind.COUNTER, name, help);
    }

    private static Metric number(DeviceFact<?> fact, MetricKind kind, String name, String help) {
        return of(fact, kind, device -> device.number(fact).orElse(Double.NaN), Optional.empty(), name, help);
    }

    /// 1 where the device's text is this, 0 where it is another.
    static Metric flag(DeviceFact<String> fact, String name, String help, String yes) {
        return either(fact, name, help, text -> text.equals(yes));
    }

    /// 0 where the device's text is this, 1 where it is another.
    static Metric unless(DeviceFact<String> fact, String name, String help, String no) {
        return either(fact, name, help, text -> !text.equals(no));
    }

    private static Metric either(DeviceFact<String> fact, String name, String help, Predicate<String> isOne) {
        Value value = device -> device.reading(fact)
                .find()
                .map(text -> isOne.test(text) ? 1.0 : 0.0)
                .orElse(Double.NaN);
        return of(fact, MetricKind.GAUGE, value, Optional.empty(), name, help);
    }

    /// 1 with the device's text as label; nothing where the text is the one that says "nothing".
    static Metric text(DeviceFact<String> fact, String name, String help, String label, String nothing) {
        TextLabel said =
                new TextLabel(label, device -> device.reading(fact).find().filter(text -> !text.equals(nothing)));
        return of(fact, MetricKind.LABELS, _ -> 1, Optional.of(said), name, help);
    }

    private static Metric of(
            DeviceFact<?> fact, MetricKind kind, Value value, Optional<TextLabel> label, String name, String help) {
        Name own = name.isEmpty() ? Name.NONE : new Name(name, help, "", 1, "", "");
        return new Metric(fact, kind, value, label, own, Name.NONE, Name.NONE);
    }

    /// With further labels in Muster's naming.
    Metric labelled(String labels) {
        Name own = new Name(muster.name, muster.help, labels, muster.scale, "", "");
        return new Metric(fact, kind, value, label, own, dcgm, otel);
    }

    /// With a number that is worked out where the fact itself is not told.
    Metric by(Value other) {
        return new Metric(fact, kind, other, label, muster, dcgm, otel);
    }

    Metric dcgm(String name, String help, double scale) {
        return new Metric(fact, kind, value, label, muster, new Name(name, help, "", scale, "", ""), otel);
    }

    /// With OpenTelemetry's name.
    Metric otel(String original, String unit, String name, String labels, String help) {
        return new Metric(fact, kind, value, label, muster, dcgm, new Name(name, help, labels, 1, original, unit));
    }
}
