// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.muster.cli.device.DetectCommand;
import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.UsageException;
import dev.muster.cli.session.TerminalSettings;
import dev.muster.report.terminal.Terminal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TerminalSettingsTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    | no color
                    tty | color
                    tty NO_COLOR=1 | no color
                    tty NO_COLOR=0 | no color
                    tty TERM=dumb | no color
                    tty TERM=xterm-256color | color
                    FORCE_COLOR=1 | color
                    FORCE_COLOR=3 | color
                    FORCE_COLOR=0 | no color
                    FORCE_COLOR= | no color
                    CLICOLOR_FORCE=1 | color
                    CLICOLOR_FORCE=0 | no color
                    tty CLICOLOR_FORCE=0 | color
                    tty TERM=dumb FORCE_COLOR=1 | color
                    FORCE_COLOR=1 NO_COLOR=1 | no color
                    tty --color=auto | color
                    --color=auto | no color
                    --color=always | color
                    --color=always NO_COLOR=1 TERM=dumb | color
                    tty --color=never FORCE_COLOR=1 | no color
                    """)
    void colourFollowsTheOptionThenTheEnvironmentThenTheTerminal(@Nullable String situation, String expected) {
        assertThat(terminal(situation).color()).isEqualTo(expected.equals("color"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    | ascii
                    LANG=C | ascii
                    LANG=POSIX | ascii
                    LANG=de_DE.ISO-8859-1 | ascii
                    LANG=en_US.UTF-8 | utf-8
                    LANG=en_US.utf8 | utf-8
                    LANG=C.UTF-8 | utf-8
                    LC_CTYPE=en_US.UTF-8 | utf-8
                    LC_ALL=en_US.UTF-8 | utf-8
                    LANG=en_US.UTF-8 LC_ALL=C | ascii
                    LANG=C LC_ALL=en_US.UTF-8 | utf-8
                    LANG=C LC_CTYPE=C LC_ALL=en_US.UTF-8 | utf-8
                    LANG=en_US.UTF-8 LC_CTYPE=C | ascii
                    LANG=en_US.UTF-8 LC_ALL= | utf-8
                    LANG=en_US.UTF-8 --ascii | ascii
                    """)
    void charactersFollowTheOptionThenTheLocale(@Nullable String situation, String expected) {
        assertThat(terminal(situation).ascii()).isEqualTo(expected.equals("ascii"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    tty | 100
                    tty COLUMNS=80 | 80
                    tty COLUMNS=213 | 213
                    tty COLUMNS=20 | 20
                    tty COLUMNS=0 | 100
                    tty COLUMNS= | 100
                    tty COLUMNS=-80 | 100
                    tty COLUMNS=eighty | 100
                    tty COLUMNS=99999999999 | 100
                    tty COLUMNS=80 --width=60 | 60
                    --width=60 | 60
                    --width=20 | 20
                    --width=10000 | 10000
                    """)
    void widthFollowsTheOptionThenTheTerminal(@Nullable String situation, int expected) {
        assertThat(terminal(situation).width()).isEqualTo(expected);
    }

    @Test
    void aPipeHasNoWidth() {
        assertThat(terminal("COLUMNS=80").width()).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void whetherAPersonLooksIsHandedDown() {
        assertThat(terminal("tty").tty()).isTrue();
        assertThat(terminal("--color=always").tty()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "19", "10001", "9999999999", "-80", "80.5", "wide", "٨٠"})
    void refusesAWidthThatNoTerminalHas(String width) {
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> terminal("--width=" + width))
                .withMessage("--width is a number from 20 to 10000, not '" + width + "'");
    }

    /// A situation in words: `tty`, options, and variables.
    private static Terminal terminal(@Nullable String situation) {
        boolean tty = false;
        List<String> options = new ArrayList<>();
        Map<String, String> environment = new HashMap<>();
        for (String word : situation == null ? new String[0] : situation.strip().split(" ")) {
            if (word.equals("tty")) {
                tty = true;
            } else if (word.startsWith("--")) {
                options.add(word);
            } else if (word.contains("=")) {
                environment.put(word.substring(0, word.indexOf('=')), word.substring(word.indexOf('=') + 1));
            }
        }
        Arguments arguments = Arguments.parse(new DetectCommand(false).spec(), options);
        return TerminalSettings.of(arguments, environment, tty);
    }
}
