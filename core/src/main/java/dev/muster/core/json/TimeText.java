// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.json;

import java.time.Instant;

/// Times as text, such as `2026-11-15T08:30:00.125Z`. Written by hand: the first use of the JDK's dates makes a
/// formatter and its regular expressions, which takes 1 ms at start-up.
final class TimeText {
    private static final int SECONDS_PER_DAY = 86_400;
    private static final int SECONDS_PER_HOUR = 3_600;
    private static final int SECONDS_PER_MINUTE = 60;
    private static final int NANO_DIGITS = 9;
    private static final int YEAR_DIGITS = 4;
    /// The first second of year 0 and the last of year 9999: beyond them the text has a sign, and the JDK writes it.
    private static final long FIRST = -62_167_219_200L;
    private static final long LAST = 253_402_300_799L;

    /// The calendar repeats after 400 years. Years begin in March here, so that the leap day is the last of its year.
    private static final int DAYS_PER_ERA = 146_097;
    private static final int YEARS_PER_ERA = 400;
    private static final int DAYS_PER_YEAR = 365;
    private static final int DAYS_PER_4_YEARS = 1_460;
    private static final int DAYS_PER_CENTURY = 36_524;
    /// From the first of March of year 0 to 1970.
    private static final int DAYS_BEFORE_1970 = 719_468;
    /// March to July, and August to December, have 153 days in five months.
    private static final int DAYS_PER_5_MONTHS = 153;
    private static final int MONTHS_BEFORE_JANUARY = 10;

    private TimeText() {}

    static String of(Instant time) {
        long second = time.getEpochSecond();
        if (second < FIRST || second > LAST) {
            return time.toString();
        }
        int ofDay = Math.floorMod(second, SECONDS_PER_DAY);
        return date((int) Math.floorDiv(second, SECONDS_PER_DAY)) + "T"
                + pad(ofDay / SECONDS_PER_HOUR, 2) + ":"
                + pad(ofDay % SECONDS_PER_HOUR / SECONDS_PER_MINUTE, 2) + ":"
                + pad(ofDay % SECONDS_PER_MINUTE, 2)
                + fraction(time.getNano()) + "Z";
    }

    private static String date(int day1970) {
        int day = day1970 + DAYS_BEFORE_1970;
        int era = Math.floorDiv(day, DAYS_PER_ERA);
        int ofEra = Math.floorMod(day, DAYS_PER_ERA);
        int leapDays = ofEra / DAYS_PER_4_YEARS - ofEra / DAYS_PER_CENTURY + ofEra / (DAYS_PER_ERA - 1);
        int yearOfEra = (ofEra - leapDays) / DAYS_PER_YEAR;
        int ofYear = ofEra - (DAYS_PER_YEAR * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
        int fromMarch = (5 * ofYear + 2) / DAYS_PER_5_MONTHS;
        int ofMonth = ofYear - (DAYS_PER_5_MONTHS * fromMarch + 2) / 5 + 1;
        boolean nextYear = fromMarch >= MONTHS_BEFORE_JANUARY;
        int month = nextYear ? fromMarch - MONTHS_BEFORE_JANUARY + 1 : fromMarch + 3;
        int year = era * YEARS_PER_ERA + yearOfEra + (nextYear ? 1 : 0);
        return pad(year, YEAR_DIGITS) + "-" + pad(month, 2) + "-" + pad(ofMonth, 2);
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
