// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.launch;

import dev.muster.mesh.secure.TlsPolicy;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/// Reads environment variables as what they should be. Immutable.
///
/// @param all every variable of the process
record LaunchVariables(Map<String, String> all) {
    /// More ranks than any machine has.
    static final int MAX_WORLD = 1 << 24;

    private static final int MAX_DIGITS = 9;
    private static final int MAX_QUOTED = 40;

    /// A variable that is set and not blank.
    Optional<String> find(String name) {
        return Optional.ofNullable(all.get(name)).map(String::strip).filter(text -> !text.isEmpty());
    }

    boolean has(String name) {
        return find(name).isPresent();
    }

    /// A whole number from zero on, if the variable is set.
    ///
    /// @throws LaunchException if it is something else
    Optional<Integer> findNumber(String name) {
        return find(name).map(text -> {
            int number = number(text);
            if (number < 0 || number > MAX_WORLD) {
                throw new LaunchException(
                        name + " must be an integer from 0 to " + MAX_WORLD + ", not " + quoted(text));
            }
            return number;
        });
    }

    /// A time such as `500ms`, `60s`, `2m` or `1.5`, which is seconds.
    Optional<Duration> findTime(String name) {
        return find(name).map(text -> {
            Duration time = time(text);
            if (time.isNegative() || time.isZero()) {
                throw new LaunchException(name + " is a time such as 60s, 500ms or 2m, not " + quoted(text));
            }
            return time;
        });
    }

    /// Returns the rule for encryption of connections.
    ///
    /// @throws LaunchException if the variable says something else
    TlsPolicy tls() {
        try {
            return TlsPolicy.of(find(TlsPolicy.VARIABLE));
        } catch (IllegalArgumentException e) {
            throw new LaunchException(String.valueOf(e.getMessage()), e);
        }
    }

    private static Duration time(String text) {
        String number = text.replaceFirst("(ms|s|m)$", "");
        if (number.length() > MAX_DIGITS || !number.matches("[0-9]+(\\.[0-9]+)?")) {
            return Duration.ZERO;
        }
        String unit = text.substring(number.length());
        long millis = unit.equals("ms") ? 1 : unit.equals("m") ? 60_000 : 1_000;
        return Duration.ofMillis(
                new BigDecimal(number).multiply(BigDecimal.valueOf(millis)).longValue());
    }

    /// A whole number; -1 for anything else.
    static int number(String text) {
        boolean digits =
                !text.isEmpty() && text.length() <= MAX_DIGITS && text.chars().allMatch(c -> c >= '0' && c <= '9');
        return digits ? Integer.parseInt(text) : -1;
    }

    /// Foreign text in a message: short, and without control characters.
    static String quoted(String text) {
        String plain = text.replaceAll("\\p{Cntrl}", "?");
        return "'" + (plain.length() <= MAX_QUOTED ? plain : plain.substring(0, MAX_QUOTED) + "...") + "'";
    }
}
