// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.option.CommonOptions;
import dev.muster.cli.option.OptionSpec;
import dev.muster.cli.option.UsageException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ArgumentsTest {
    private static final OptionSpec SIZE =
            OptionSpec.value("size", "BYTES", "a size").withLetter("s");
    private static final OptionSpec ALL = OptionSpec.flag("all", "all of it").withLetter("a");
    private static final OptionSpec SHAPE = OptionSpec.choice("shape", "NAME", List.of("round", "square"), "a shape");
    private static final CommandSpec SPEC =
            CommandSpec.of(CommandTitle.of("test", "a test")).taking(2, "FILES").with(SIZE, ALL, SHAPE);
    private static final CommandSpec SHELL =
            CommandSpec.of(CommandTitle.of("shell", "a shell")).taking(1, "SHELL", "bash", "fish");

    @Test
    void nothingIsGivenWithoutWords() {
        Arguments arguments = parse();

        assertThat(arguments.has(ALL)).isFalse();
        assertThat(arguments.find(SIZE)).isEmpty();
        assertThat(arguments.operands()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--size 8", "--size=8", "-s 8", "-s=8"})
    void aValueStandsBehindABlankOrAnEqualsSign(String words) {
        assertThat(parse(words.split(" ")).find(SIZE)).contains("8");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--all", "-a"})
    void aFlagHasALongAndAShortName(String word) {
        assertThat(parse(word).has(ALL)).isTrue();
    }

    @Test
    void onlyTheFirstEqualsSignEndsAName() {
        assertThat(parse("--size=a=b").find(SIZE)).contains("a=b");
    }

    @Test
    void aValueMayBeEmpty() {
        assertThat(parse("--size=").find(SIZE)).contains("");
        assertThat(parse("--size", "").find(SIZE)).contains("");
    }

    @Test
    void everyCommandHasTheCommonOptions() {
        assertThat(parse("-o", "json").find(CommonOptions.OUTPUT)).contains("json");
        assertThat(parse("-h").has(CommonOptions.HELP)).isTrue();
        assertThat(parse("-V").has(CommonOptions.VERSION)).isTrue();
    }

    @Test
    void optionsAndOperandsStandInAnyOrder() {
        Arguments arguments = parse("first", "-a", "second", "--size", "8");

        assertThat(arguments.operands()).containsExactly("first", "second");
        assertThat(arguments.has(ALL)).isTrue();
        assertThat(arguments.find(SIZE)).contains("8");
    }

    @Test
    void aDashAloneIsAnOperand() {
        assertThat(parse("-").operands()).containsExactly("-");
    }

    @Test
    void behindTwoDashesEverythingIsAnOperand() {
        Arguments arguments = parse("--", "--all", "--");

        assertThat(arguments.operands()).containsExactly("--all", "--");
        assertThat(arguments.has(ALL)).isFalse();
    }

    @Test
    void anEmptyWordIsAnOperand() {
        assertThat(parse("").operands()).containsExactly("");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        --size            | option --size needs a value, BYTES
        -s                | option -s needs a value, BYTES
        --all=yes         | option --all takes no value
        -a=               | option -a takes no value
        --all --all       | option --all is given twice
        --all -a          | option --all is given twice
        --size=1 -s 2     | option --size is given twice
        --aal             | unknown option --aal; did you mean --all?
        --siz=8           | unknown option --siz; did you mean --size?
        --outptu json     | unknown option --outptu; did you mean --output?
        --completely-else | unknown option --completely-else
        ---all            | unknown option ---all; did you mean --all?
        -all              | unknown option -all; did you mean --all?
        -z                | unknown option -z
        -=                | unknown option -
        --=x              | unknown option --
        --shape sqare     | --shape is one of round, square, not 'sqare'; did you mean square?
        --shape blue      | --shape is one of round, square, not 'blue'
        --shape=          | --shape is one of round, square, not ''
        --shape Round     | --shape is one of round, square, not 'Round'; did you mean round?
        a b c             | unexpected argument 'c'
        a b -- -c         | unexpected argument '-c'
        """)
    void refusesWhatItCannotUnderstand(String words, String message) {
        assertRefused(SPEC, List.of(words.split(" ")), message);
    }

    @Test
    void operandsMayBeAChoice() {
        assertThat(Arguments.parse(SHELL, List.of("fish")).operands()).containsExactly("fish");
        assertRefused(SHELL, List.of("fihs"), "'fihs' is not one of bash, fish; did you mean fish?");
        assertRefused(SHELL, List.of("tcsh"), "'tcsh' is not one of bash, fish");
    }

    @Test
    void foreignWordsAreMadePrintableInMessages() {
        assertRefused(SPEC, List.of("--\u001b[31m\n"), "unknown option --?[31m?");
        assertRefused(SPEC, List.of("a", "b", "c\u0007"), "unexpected argument 'c?'");
        assertRefused(SPEC, List.of("--shape", "\u202e"), "--shape is one of round, square, not '?'");
    }

    private static Arguments parse(String... words) {
        return Arguments.parse(SPEC, List.of(words));
    }

    private static void assertRefused(CommandSpec spec, List<String> words, String message) {
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> Arguments.parse(spec, words))
                .withMessage(message);
    }
}
