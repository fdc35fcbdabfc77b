// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.fleet.FleetHost.Contradiction;
import dev.muster.fleet.FleetHost.Statement;
import java.util.List;
import java.util.Locale;

/// Makes one device of two descriptions of it, of which the first is the more exact.
final class FactMerge {
    /// Sources count memory with and without what the driver keeps, and in steps of a MiB or a GiB: a
    /// sixteenth is not a contradiction.
    private static final double MEMORY_TOLERANCE = 1 / 16.0;

    private FactMerge() {}

    static AcceleratorProfile of(
            String source,
            AcceleratorProfile exact,
            String otherSource,
            AcceleratorProfile other,
            List<Contradiction> conflicts) {
        // A rule of thumb about what it is gives way to a source that knows.
        boolean corrected = isAssumed(exact.deviceName()) && !isAssumed(other.deviceName());
        AcceleratorProfile.ProfileBuilder builder = exact.toBuilder();
        if (corrected && exact.partition().isEmpty()) {
            builder.accelerator(other.accelerator());
        }
        for (DeviceFact<?> fact : DeviceFact.all()) {
            fill(builder, fact, exact, other);
            if (exact.accelerator().kind() != AcceleratorKind.CPU && contradicts(fact, exact, other)) {
                conflicts.add(conflict(
                        exact.id().text() + " " + fact.label(),
                        source,
                        text(exact.reading(fact)),
                        otherSource,
                        text(other.reading(fact))));
            }
        }
        if (exact.available() != other.available()) {
            conflicts.add(conflict(
                    exact.id().text() + " available",
                    source,
                    word(exact.available()),
                    otherSource,
                    word(other.available())));
        }
        return builder.build();
    }

    private static Contradiction conflict(
            String what, String source, String value, String otherSource, String otherValue) {
        return new Contradiction(what, List.of(new Statement(source, value), new Statement(otherSource, otherValue)));
    }

    private static String word(boolean available) {
        return available ? "yes" : "no";
    }

    private static String text(Reading<?> reading) {
        return reading.find().map(String::valueOf).orElse("unknown");
    }

    private static <T> void fill(
            AcceleratorProfile.ProfileBuilder builder,
            DeviceFact<T> fact,
            AcceleratorProfile exact,
            AcceleratorProfile other) {
        Reading<T> own = exact.reading(fact);
        Reading<T> its = other.reading(fact);
        if (isAssumed(own) && its.isKnown() && !isAssumed(its)) {
            builder.with(fact, its);
        } else if (!its.isNotProbed()) {
            builder.fill(fact, its);
        }
    }

    /// Reports whether a value is a rule of thumb.
    static boolean isAssumed(Reading<?> reading) {
        return reading instanceof Reading.Known<?> known
                && known.provenance().confidence() == Provenance.Confidence.ASSUMED;
    }

    private static boolean contradicts(DeviceFact<?> fact, AcceleratorProfile exact, AcceleratorProfile other) {
        Reading<?> own = exact.reading(fact);
        Reading<?> its = other.reading(fact);
        if (fact.isVolatile() || !own.isKnown() || !its.isKnown() || isAssumed(own) || isAssumed(its)) {
            return false;
        }
        Object value = own.find().orElseThrow();
        Object another = its.find().orElseThrow();
        if (value instanceof Bytes bytes && another instanceof Bytes others) {
            return Math.abs(bytes.toDouble() - others.toDouble()) > MEMORY_TOLERANCE * bytes.toDouble();
        }
        if (value instanceof String text && another instanceof String word) {
            return !isSameWord(text, word);
        }
        return !value.equals(another);
    }

    /// Reports whether one text is a shorter form of the other: `h100` of `NVIDIA H100 80GB HBM3`, `9.0` of `9.0.0`.
    /// All parts of the shorter must stand in the longer.
    private static boolean isSameWord(String one, String other) {
        String first = one.toLowerCase(Locale.ROOT);
        String second = other.toLowerCase(Locale.ROOT);
        String shorter = first.length() <= second.length() ? first : second;
        String longer = first.length() <= second.length() ? second : first;
        String letters = longer.replaceAll("[^a-z0-9]", "");
        for (String part : shorter.split("[^a-z0-9]+")) {
            if (!letters.contains(part)) {
                return false;
            }
        }
        return true;
    }
}
