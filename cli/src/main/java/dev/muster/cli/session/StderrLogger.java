// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.session;

import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommonOptions;
import dev.muster.cli.option.UsageException;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.report.text.Printable;
import java.io.PrintStream;
import java.text.MessageFormat;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/// Logs to standard error, one line a message, as text or JSON. Made by hand and handed down: looking up a logging
/// service would cost more time than everything else at start-up.
public record StderrLogger(PrintStream stderr, InstantSource clock, Level threshold, boolean json)
        implements System.Logger {
    /// The variable that sets the level where the option does not.
    public static final String VARIABLE = "MUSTER_LOG";

    private static final Map<String, Level> LEVELS = Map.of(
            "off", Level.OFF,
            "error", Level.ERROR,
            "warning", Level.WARNING,
            "info", Level.INFO,
            "debug", Level.DEBUG,
            "trace", Level.TRACE);

    /// Returns the logger that the options ask for.
    ///
    /// @param usual value of [#VARIABLE]; blank if it is not set
    /// @throws UsageException if that is not a level
    public static StderrLogger of(Arguments arguments, String usual, PrintStream stderr, InstantSource clock) {
        String level = arguments
                .find(CommonOptions.LOG_LEVEL)
                .orElseGet(() -> usual.isBlank() ? "off" : usual.strip().toLowerCase(Locale.ROOT));
        Level threshold = LEVELS.get(level);
        if (threshold == null) {
            throw new UsageException(VARIABLE + " is '" + Printable.of(usual)
                    + "'; levels are off, error, warning, info, debug and trace");
        }
        boolean json =
                arguments.find(CommonOptions.LOG_FORMAT).filter("json"::equals).isPresent();
        return new StderrLogger(stderr, clock, threshold, json);
    }

    @Override
    public String getName() {
        return "dev.muster";
    }

    @Override
    public boolean isLoggable(Level level) {
        return threshold != Level.OFF && level.getSeverity() >= threshold.getSeverity();
    }

    @Override
    public void log(Level level, @Nullable ResourceBundle bundle, String message, @Nullable Throwable thrown) {
        if (isLoggable(level)) {
            write(level, thrown == null ? message : message + ": " + thrown);
        }
    }

    @Override
    public void log(
            Level level, @Nullable ResourceBundle bundle, String format, @Nullable Object @Nullable ... parameters) {
        if (isLoggable(level)) {
            // The JDK's own short forms hand null over, not an empty array.
            write(level, parameters == null || parameters.length == 0 ? format : fill(format, parameters));
        }
    }

    /// Returns a log never fails: a pattern that is none is logged as it is.
    private static String fill(String format, @Nullable Object[] parameters) {
        try {
            return new MessageFormat(format, Locale.ROOT).format(parameters);
        } catch (IllegalArgumentException _) {
            return format;
        }
    }

    private void write(Level level, String message) {
        String time = clock.instant().toString();
        String word = level.getName().toLowerCase(Locale.ROOT);
        stderr.println(
                json
                        ? JsonObject.builder()
                                .put("time", time)
                                .put("level", word)
                                .put("message", message)
                                .build()
                                .toText()
                        : time + " " + word + " " + Printable.of(message));
    }
}
