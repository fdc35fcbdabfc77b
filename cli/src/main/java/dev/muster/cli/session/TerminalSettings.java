// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.session;

import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommonOptions;
import dev.muster.cli.option.Numbers;
import dev.muster.report.terminal.Terminal;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;

/// Finds out what the terminal can do, from options first and the environment second.
public final class TerminalSettings {
    private static final int DEFAULT_WIDTH = 100;
    private static final int LEAST_WIDTH = 20;
    private static final int MOST_WIDTH = 10_000;
    /// A pipe has no width: nothing is cut or dropped there.
    private static final int UNLIMITED = Integer.MAX_VALUE;

    private TerminalSettings() {}

    public static Terminal of(Arguments arguments, Map<String, String> environment, boolean tty) {
        return new Terminal(
                tty,
                isColor(arguments, environment, tty),
                isAscii(arguments, environment),
                width(arguments, environment, tty));
    }

    private static boolean isColor(Arguments arguments, Map<String, String> environment, boolean tty) {
        return switch (arguments.find(CommonOptions.COLOR).orElse("auto")) {
            case "always" -> true;
            case "never" -> false;
            default -> {
                if (environment.containsKey("NO_COLOR")) {
                    yield false;
                }
                if (isForced(environment, "CLICOLOR_FORCE") || isForced(environment, "FORCE_COLOR")) {
                    yield true;
                }
                yield tty && !"dumb".equals(environment.get("TERM"));
            }
        };
    }

    private static boolean isForced(Map<String, String> environment, String name) {
        String value = environment.getOrDefault(name, "");
        return !value.isEmpty() && !value.equals("0");
    }

    private static boolean isAscii(Arguments arguments, Map<String, String> environment) {
        if (arguments.has(CommonOptions.ASCII)) {
            return true;
        }
        String locale = "";
        for (String name : new String[] {"LANG", "LC_CTYPE", "LC_ALL"}) {
            String value = environment.getOrDefault(name, "");
            locale = value.isEmpty() ? locale : value;
        }
        String lower = locale.toLowerCase(Locale.ROOT);
        return !lower.contains("utf-8") && !lower.contains("utf8");
    }

    private static int width(Arguments arguments, Map<String, String> environment, boolean tty) {
        String asked = arguments.find(CommonOptions.WIDTH).orElse("");
        if (!asked.isEmpty()) {
            int width = Numbers.digits(asked, 6);
            if (width < LEAST_WIDTH || width > MOST_WIDTH) {
                throw CommonOptions.WIDTH.isNot("a number from " + LEAST_WIDTH + " to " + MOST_WIDTH, asked);
            }
            return width;
        }
        if (!tty) {
            return UNLIMITED;
        }
        int columns = Numbers.digits(environment.getOrDefault("COLUMNS", ""), 6);
        return columns < LEAST_WIDTH ? DEFAULT_WIDTH : columns;
    }

    /// Returns the width of tables on a terminal of so many columns.
    public static int width(OptionalInt columns) {
        return columns.isPresent() ? Math.max(LEAST_WIDTH, columns.getAsInt()) : DEFAULT_WIDTH;
    }
}
