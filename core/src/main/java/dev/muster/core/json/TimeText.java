package dev.muster.core.json;

import java.time.Instant;
import java.time.LocalDate;

/// Times as text, such as `2026-11-15T08:30:00.125Z`. Written by hand: the JDK's formatter is slow at start-up.
final class TimeText {
    private static final int SECONDS_PER_DAY = 86_400;
    private static final int SECONDS_PER_HOUR = 3_600;
    private static final int SECONDS_PER_MINUTE = 60;
    private static final int NANO_DIGITS = 9;
    /// A date reaches one year less far than a time.
    private static final long FIRST_DATE = LocalDate.MIN.toEpochDay() * SECONDS_PER_DAY;
    private static final long LAST_DATE = LocalDate.MAX.toEpochDay() * SECONDS_PER_DAY;

    private TimeText() {}

    static String of(Instant time) {
        if (time.getEpochSecond() < FIRST_DATE || time.getEpochSecond() > LAST_DATE) {
            return time.toString();
        }
        LocalDate date = LocalDate.ofEpochDay(Math.floorDiv(time.getEpochSecond(), SECONDS_PER_DAY));
        int second = Math.floorMod(time.getEpochSecond(), SECONDS_PER_DAY);
        return date + "T" + pad(second / SECONDS_PER_HOUR, 2) + ":"
                + pad(second % SECONDS_PER_HOUR / SECONDS_PER_MINUTE, 2) + ":"
                + pad(second % SECONDS_PER_MINUTE, 2)
                + fraction(time.getNano()) + "Z";
    }

    private static String fraction(int nanos) {
        if (nanos == 0) {
            return "";
        }
        String digits = pad(nanos, NANO_DIGITS);
        int end = NANO_DIGITS;
        while (digits.charAt(end - 1) == '0') {
            end--;
        }
        return "." + digits.substring(0, end);
    }

    private static String pad(int value, int width) {
        String digits = Integer.toString(value);
        return "0".repeat(width - digits.length()) + digits;
    }
}
