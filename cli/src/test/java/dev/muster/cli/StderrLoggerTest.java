// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.muster.cli.device.DetectCommand;
import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.UsageException;
import dev.muster.cli.session.StderrLogger;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StderrLoggerTest {
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-11-15T08:30:00Z"), ZoneOffset.UTC);

    private final ByteArrayOutputStream written = new ByteArrayOutputStream();

    @Test
    void saysNothingUnlessAsked() {
        System.Logger log = logger();

        for (Level level : Level.values()) {
            log.log(level, () -> "unheard");
        }

        assertThat(text()).isEmpty();
        assertThat(log.isLoggable(Level.ERROR)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "off, 0",
        "error, 1",
        "warning, 2",
        "info, 3",
        "debug, 4",
        "trace, 5",
    })
    void aLevelLetsThroughWhatIsAsImportant(String level, int lines) {
        System.Logger log = logger("--log-level", level);

        for (Level each : List.of(Level.ERROR, Level.WARNING, Level.INFO, Level.DEBUG, Level.TRACE)) {
            log.log(each, () -> "said");
        }

        assertThat(text().lines()).hasSize(lines);
    }

    @Test
    void aLineIsTimeLevelAndMessage() {
        logger("--log-level", "debug").log(Level.WARNING, () -> "no /proc/meminfo");

        assertThat(text()).isEqualTo("2026-11-15T08:30:00Z warning no /proc/meminfo\n");
    }

    @Test
    void aLineCanBeJson() {
        logger("--log-level", "debug", "--log-format", "json").log(Level.INFO, () -> "a \"quoted\"\nname");

        assertThat(text())
                .isEqualTo("{\"time\":\"2026-11-15T08:30:00Z\",\"level\":\"info\","
                        + "\"message\":\"a \\\"quoted\\\"\\nname\"}\n");
    }

    @Test
    void aPlainMessageIsLogged() {
        logger("--log-level", "debug").log(Level.INFO, "plain");

        assertThat(text()).isEqualTo("2026-11-15T08:30:00Z info plain\n");
    }

    @Test
    void parametersAreFilledInWithoutTheDefaultLocale() {
        logger("--log-level", "debug").log(Level.INFO, "{0} of {1} devices", 1234567, "two");

        assertThat(text()).isEqualTo("2026-11-15T08:30:00Z info 1,234,567 of two devices\n");
    }

    @Test
    void aPatternThatIsNoneIsLoggedAsItIs() {
        logger("--log-level", "debug").log(Level.INFO, "{not a pattern", 1);

        assertThat(text()).isEqualTo("2026-11-15T08:30:00Z info {not a pattern\n");
    }

    @Test
    void whatWasThrownIsNamedWithoutAStackTrace() {
        logger("--log-level", "debug").log(Level.ERROR, "probe failed", new IllegalStateException("on fire"));

        assertThat(text())
                .isEqualTo("2026-11-15T08:30:00Z error probe failed: java.lang.IllegalStateException: on fire\n");
    }

    @Test
    void aMessageIsOneLineAndCannotSteerTheTerminal() {
        logger("--log-level", "debug").log(Level.INFO, () -> "first\nsecond \u001b[31mred");

        assertThat(text()).isEqualTo("2026-11-15T08:30:00Z info first?second ?[31mred\n");
    }

    @Test
    void aMessageThatNobodyHearsIsNotMade() {
        logger("--log-level", "info").log(Level.DEBUG, () -> {
            throw new AssertionError("evaluated although disabled");
        });

        assertThat(text()).isEmpty();
    }

    @Test
    void theVariableSetsTheLevelWhereTheOptionDoesNot() {
        assertThat(level("Debug").isLoggable(Level.DEBUG)).isTrue();
        assertThat(level("").isLoggable(Level.ERROR)).isFalse();
        assertThat(level("debug", "--log-level", "error").isLoggable(Level.INFO))
                .isFalse();
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> level("loud"))
                .withMessage("MUSTER_LOG is 'loud'; levels are off, error, warning, info, debug and trace");
    }

    private System.Logger logger(String... words) {
        return level("", words);
    }

    private System.Logger level(String variable, String... words) {
        Arguments arguments = Arguments.parse(new DetectCommand(false).spec(), List.of(words));
        return StderrLogger.of(arguments, variable, new PrintStream(written, true, StandardCharsets.UTF_8), CLOCK);
    }

    private String text() {
        return written.toString(StandardCharsets.UTF_8);
    }
}
