package dev.muster.cli.render;

import dev.muster.core.AcceleratorFamily;
import dev.muster.core.FixedText;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import dev.muster.core.unit.Ratio;
import dev.muster.core.unit.Watts;

/// Values for people: memory in GiB or MiB, rates in GB/s, temperature in degrees, shares in percent.
public final class Quantity {
    private static final double BYTES_PER_MIB = 1 << 20;
    private static final double PERCENT = 100;

    private Quantity() {}

    /// A value with its unit.
    public static String of(Object value) {
        return switch (value) {
            case Bytes bytes
            when bytes.toGib() < 1 && !bytes.isZero() -> FixedText.of(bytes.toDouble() / BYTES_PER_MIB, 1) + " MiB";
            default -> {
                String unit = unit(value);
                yield unit.isEmpty() ? bare(value) : bare(value) + " " + unit;
            }
        };
    }

    /// A value as a bare number or text, in the unit that people see.
    public static String bare(Object value) {
        return switch (value) {
            case Bytes bytes -> FixedText.of(bytes.toGib(), 1);
            case Bandwidth bandwidth -> rate(bandwidth.gigabytesPerSecond());
            case Celsius temperature -> FixedText.of(temperature.degrees(), 0);
            case Watts power -> FixedText.of(power.value(), 0);
            case Ratio ratio -> FixedText.of(ratio.value() * PERCENT, 0);
            case AcceleratorFamily family -> family.display();
            case Boolean available -> available ? "ok" : "unavailable";
            default -> Printable.of(value.toString());
        };
    }

    /// A value as a bare number in base units, or text, for machines.
    public static String base(Object value) {
        return switch (value) {
            case Bytes bytes -> bytes.toString();
            case Bandwidth bandwidth -> FixedText.of(bandwidth.gigabytesPerSecond() * 1e9, 0);
            case Celsius temperature -> number(temperature.degrees());
            case Watts power -> number(power.value());
            case Ratio ratio -> number(ratio.value());
            case AcceleratorFamily family -> family.text();
            default -> value.toString();
        };
    }

    /// A value for JSON: a number in base units, or text.
    public static JsonValue json(Object value) {
        return switch (value) {
            case Bytes _, Bandwidth _, Celsius _, Watts _, Ratio _, Long _ -> new JsonNumber(base(value));
            default -> new JsonString(base(value));
        };
    }

    private static String unit(Object value) {
        return switch (value) {
            case Bytes _ -> "GiB";
            case Bandwidth _ -> "GB/s";
            case Celsius _ -> "C";
            case Watts _ -> "W";
            case Ratio _ -> "%";
            default -> "";
        };
    }

    private static String rate(double gigabytesPerSecond) {
        return FixedText.of(gigabytesPerSecond, gigabytesPerSecond < 10 ? 1 : 0);
    }

    private static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : Double.toString(value);
    }
}
