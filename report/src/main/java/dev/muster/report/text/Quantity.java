// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.text;

import dev.muster.core.AcceleratorFamily;
import dev.muster.core.ProcessList;
import dev.muster.core.ProcessList.DeviceProcess;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonBoolean;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.core.text.FixedText;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import dev.muster.core.unit.Hertz;
import dev.muster.core.unit.Joules;
import dev.muster.core.unit.Ratio;
import dev.muster.core.unit.Watts;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/// Values for display: memory in GiB or MiB, rates in GB/s, clocks in MHz, energy in kJ, temperature in degrees,
/// shares in percent.
///
/// Not written with switches: one over types generates classes at start-up (docs/decisions/0004).
public final class Quantity {
    private static final double BYTES_PER_MIB = 1 << 20;
    private static final double PERCENT = 100;
    private static final double KILO = 1000;
    private static final int DIGITS_OF_GIGA = 9;

    private Quantity() {}

    /// Returns a value with its unit.
    public static String of(Object value) {
        if (value instanceof Bytes bytes) {
            return FixedText.of(bytes);
        }
        if (value instanceof Share share) {
            return of(share);
        }
        String unit = unit(value);
        return unit.isEmpty() ? bare(value) : bare(value) + " " + unit;
    }

    /// Returns a number of bytes, rounded to whole ones.
    public static String ofBytes(double bytes) {
        return of(Bytes.of(Math.round(bytes)));
    }

    /// Returns a share in percent.
    public static String percent(double share, int digits) {
        return FixedText.of(PERCENT * share, digits) + " %";
    }

    /// Returns both numbers in the unit of the whole.
    private static String of(Share share) {
        boolean small = share.whole() instanceof Bytes whole && isSmall(whole);
        Object part = share.part();
        String known = "?";
        if (part != null) {
            known = small && part instanceof Bytes bytes ? mebibytes(bytes) : bare(part);
        }
        return known + " of " + of(share.whole());
    }

    private static boolean isSmall(Bytes bytes) {
        return bytes.toGib() < 1 && !bytes.isZero();
    }

    private static String mebibytes(Bytes bytes) {
        return FixedText.of(bytes.toDouble() / BYTES_PER_MIB, 1);
    }

    /// Returns a value as a bare number or text, in the displayed unit.
    public static String bare(Object value) {
        if (value instanceof Bytes bytes) {
            return FixedText.of(bytes.toGib(), 1);
        }
        if (value instanceof Bandwidth bandwidth) {
            return rate(bandwidth.gigabytesPerSecond());
        }
        if (value instanceof Celsius temperature) {
            return FixedText.of(temperature.degrees(), 0);
        }
        if (value instanceof Watts power) {
            return FixedText.of(power.value(), 0);
        }
        if (value instanceof Joules energy) {
            return FixedText.of(energy.value() / KILO, 1);
        }
        if (value instanceof Ratio ratio) {
            return FixedText.of(ratio.value() * PERCENT, 0);
        }
        if (value instanceof AcceleratorFamily family) {
            return family.display();
        }
        if (value instanceof Hertz clock) {
            return FixedText.of(clock.toMegahertz(), 0);
        }
        if (value instanceof Availability availability) {
            return availability.word();
        }
        if (value instanceof Boolean truth) {
            return truth ? "yes" : "no";
        }
        if (value instanceof Share share) {
            Object part = share.part();
            return (part == null ? "?" : bare(part)) + " of " + bare(share.whole());
        }
        if (value instanceof ProcessList list && list.processes().isEmpty()) {
            return "none";
        }
        return Printable.of(value.toString());
    }

    /// Returns a value as a bare number in base units, or text, for machine-readable output.
    public static String base(Object value) {
        if (value instanceof Bandwidth bandwidth) {
            return new BigDecimal(Double.toString(bandwidth.gigabytesPerSecond()))
                    .movePointRight(DIGITS_OF_GIGA)
                    .stripTrailingZeros()
                    .toPlainString();
        }
        if (value instanceof Celsius temperature) {
            return number(temperature.degrees());
        }
        if (value instanceof Watts power) {
            return number(power.value());
        }
        if (value instanceof Joules energy) {
            return number(energy.value());
        }
        if (value instanceof Ratio ratio) {
            return number(ratio.value());
        }
        if (value instanceof Hertz clock) {
            return Long.toString(clock.value());
        }
        return value instanceof AcceleratorFamily family ? family.text() : value.toString();
    }

    /// Returns a value with all its digits and its unit, for two values that look the same otherwise.
    public static String exact(Object value) {
        if (value instanceof Bytes) {
            return value + " bytes";
        }
        if (value instanceof Hertz) {
            return base(value) + " Hz";
        }
        if (value instanceof Joules) {
            return base(value) + " J";
        }
        String unit = unit(value);
        if (unit.isEmpty()) {
            return bare(value);
        }
        String digits = value instanceof Bandwidth rate
                ? number(rate.gigabytesPerSecond())
                : value instanceof Ratio ratio ? number(ratio.value() * PERCENT) : base(value);
        return digits + " " + unit;
    }

    /// Returns a value for JSON: a number in base units, a boolean, a list of programs, or text.
    public static JsonValue json(Object value) {
        if (value instanceof Boolean truth) {
            return new JsonBoolean(truth);
        }
        if (value instanceof ProcessList list) {
            return new JsonArray(programs(list));
        }
        boolean number =
                value instanceof Bytes || value instanceof Long || !unit(value).isEmpty();
        return number ? new JsonNumber(base(value)) : new JsonString(base(value));
    }

    private static List<JsonValue> programs(ProcessList list) {
        List<JsonValue> programs = new ArrayList<>();
        for (DeviceProcess process : list.processes()) {
            JsonObject.ObjectBuilder program = JsonObject.builder().put("pid", process.pid());
            process.findName().ifPresent(name -> program.put("name", name));
            process.findMemory().ifPresent(memory -> program.put("memoryBytes", json(memory)));
            programs.add(program.build());
        }
        return programs;
    }

    private static String unit(Object value) {
        if (value instanceof Bytes) {
            return "GiB";
        }
        if (value instanceof Bandwidth) {
            return "GB/s";
        }
        if (value instanceof Celsius) {
            return "C";
        }
        if (value instanceof Watts) {
            return "W";
        }
        if (value instanceof Joules) {
            return "kJ";
        }
        if (value instanceof Hertz) {
            return "MHz";
        }
        return value instanceof Ratio ? "%" : "";
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
