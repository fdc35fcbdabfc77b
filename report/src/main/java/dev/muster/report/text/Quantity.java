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
        return switch (value) {
            case Bytes bytes -> FixedText.of(bytes);
            case Share share -> of(share);
            default -> unit(value).isEmpty() ? bare(value) : bare(value) + " " + unit(value);
        };
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
        return switch (value) {
            case Bytes bytes -> FixedText.of(bytes.toGib(), 1);
            case Bandwidth bandwidth -> rate(bandwidth.gigabytesPerSecond());
            case Celsius temperature -> FixedText.of(temperature.degrees(), 0);
            case Watts power -> FixedText.of(power.value(), 0);
            case Joules energy -> FixedText.of(energy.value() / KILO, 1);
            case Ratio ratio -> FixedText.of(ratio.value() * PERCENT, 0);
            case AcceleratorFamily family -> family.display();
            case Hertz clock -> FixedText.of(clock.toMegahertz(), 0);
            case Availability availability -> availability.word();
            case Boolean truth -> truth ? "yes" : "no";
            case Share(Object part, Object whole) -> (part == null ? "?" : bare(part)) + " of " + bare(whole);
            case ProcessList list when list.processes().isEmpty() -> "none";
            default -> Printable.of(value.toString());
        };
    }

    /// Returns a value as a bare number in base units, or text, for machine-readable output.
    public static String base(Object value) {
        return switch (value) {
            case Bandwidth bandwidth ->
                new BigDecimal(Double.toString(bandwidth.gigabytesPerSecond()))
                        .movePointRight(DIGITS_OF_GIGA)
                        .stripTrailingZeros()
                        .toPlainString();
            case Celsius temperature -> number(temperature.degrees());
            case Watts power -> number(power.value());
            case Joules energy -> number(energy.value());
            case Ratio ratio -> number(ratio.value());
            case Hertz clock -> Long.toString(clock.value());
            case AcceleratorFamily family -> family.text();
            default -> value.toString();
        };
    }

    /// Returns a value with all its digits and its unit, for two values that look the same otherwise.
    public static String exact(Object value) {
        return switch (value) {
            case Bytes _ -> value + " bytes";
            case Hertz _ -> base(value) + " Hz";
            case Joules _ -> base(value) + " J";
            case Bandwidth rate -> number(rate.gigabytesPerSecond()) + " " + unit(value);
            case Ratio ratio -> number(ratio.value() * PERCENT) + " " + unit(value);
            default -> unit(value).isEmpty() ? bare(value) : base(value) + " " + unit(value);
        };
    }

    /// Returns a value for JSON: a number in base units, a boolean, a list of programs, or text.
    public static JsonValue json(Object value) {
        return switch (value) {
            case Boolean truth -> new JsonBoolean(truth);
            case ProcessList list -> new JsonArray(programs(list));
            case Long _ -> new JsonNumber(base(value));
            default -> unit(value).isEmpty() ? new JsonString(base(value)) : new JsonNumber(base(value));
        };
    }

    private static List<JsonValue> programs(ProcessList list) {
        List<JsonValue> programs = new ArrayList<>();
        for (DeviceProcess process : list.processes()) {
            JsonObject.ObjectBuilder program = JsonObject.builder().put("pid", process.pid());
            process.findName().ifPresent(name -> program.put("name", name));
            process.findMemory().ifPresent(memory -> program.put("memoryBytes", json(memory)));
            process.findLoad().ifPresent(load -> program.put("utilizationRatio", load.value()));
            programs.add(program.build());
        }
        return programs;
    }

    private static String unit(Object value) {
        return switch (value) {
            case Bytes _ -> "GiB";
            case Bandwidth _ -> "GB/s";
            case Celsius _ -> "C";
            case Watts _ -> "W";
            case Joules _ -> "kJ";
            case Hertz _ -> "MHz";
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
