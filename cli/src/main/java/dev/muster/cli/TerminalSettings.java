package dev.muster.cli;

import dev.muster.cli.render.Printable;
import dev.muster.cli.render.Terminal;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;

/// Finds out what the terminal can do, from options first and the environment second.
final class TerminalSettings {
    private static final int DEFAULT_WIDTH = 100;
    private static final int LEAST_WIDTH = 20;
    private static final int MOST_WIDTH = 10_000;
    /// A pipe has no width: nothing is cut or dropped there.
    private static final int UNLIMITED = Integer.MAX_VALUE;

    private TerminalSettings() {}

    static Terminal of(Arguments arguments, Map<String, String> environment, boolean tty) {
        return new Terminal(
                tty,
                isColor(arguments, environment, tty),
                isAscii(arguments, environment),
                width(arguments, environment, tty));
    }

    /// Before the arguments are understood.
    static Terminal plain() {
        return new Terminal(false, false, true, DEFAULT_WIDTH);
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
            int width = number(asked);
            if (width < LEAST_WIDTH || width > MOST_WIDTH) {
                throw new UsageException("--width is a number from " + LEAST_WIDTH + " to " + MOST_WIDTH + ", not '"
                        + Printable.of(asked) + "'");
            }
            return width;
        }
        int columns = number(environment.getOrDefault("COLUMNS", ""));
        if (!tty) {
            return UNLIMITED;
        }
        return columns < LEAST_WIDTH ? DEFAULT_WIDTH : columns;
    }

    /// The width of tables on a terminal of so many columns.
    static int width(OptionalInt columns) {
        return columns.isPresent() ? Math.max(LEAST_WIDTH, columns.getAsInt()) : DEFAULT_WIDTH;
    }

    private static int number(String text) {
        boolean digits = !text.isEmpty() && text.length() <= 6 && text.chars().allMatch(c -> c >= '0' && c <= '9');
        return digits ? Integer.parseInt(text) : -1;
    }
}
