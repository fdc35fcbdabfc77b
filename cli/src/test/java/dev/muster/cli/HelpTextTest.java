// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.device.DetectCommand;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.option.OptionSpec;
import dev.muster.report.terminal.Terminal;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class HelpTextTest {
    static final List<CommandSpec> COMMANDS = new Commands("").specs();
    private static final List<CommandTitle> TITLES = new Commands("").titles();

    static List<CommandSpec> commands() {
        return COMMANDS;
    }

    @Test
    void theProgramsHelpNamesEveryCommand() {
        String help = at(80).ofProgram(TITLES);

        assertThat(COMMANDS)
                .allSatisfy(command -> assertThat(help).contains("  " + command.name() + " ", command.summary()));
    }

    @Test
    void theProgramsHelpNamesEveryCommonOption() {
        String help = at(80).ofProgram(TITLES);

        assertThat(new DetectCommand(true).spec().generalOptions())
                .allSatisfy(option -> assertThat(help).contains(option.synopsis()));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void aCommandsHelpNamesEachOfItsOptions(CommandSpec command) {
        String help = at(80).ofCommand(command);

        List<OptionSpec> offered = Stream.of(command.options(), command.sourceOptions(), command.generalOptions())
                .flatMap(List::stream)
                .toList();
        assertThat(offered)
                .allSatisfy(option -> assertThat(help).contains(option.synopsis()))
                .allSatisfy(option -> assertThat(unwrapped(help)).contains(unwrapped(option.help())));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void aCommandsHelpSaysWhatItDoesAndHowItIsCalled(CommandSpec command) {
        String help = at(80).ofCommand(command);

        assertThat(help).startsWith("muster " + command.name() + ": " + command.summary() + "\n");
        assertThat(help).contains("  muster " + command.name() + " [OPTIONS]");
        assertThat(command.operands().isEmpty() || help.contains("[OPTIONS] " + command.operands() + "\n"))
                .isTrue();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void examplesComeFirstAndWhereToReadOnComesLast(CommandSpec command) {
        List<String> lines = at(80).ofCommand(command).lines().toList();

        assertThat(lines.getLast()).startsWith("See ");
        if (!command.examples().isEmpty()) {
            assertThat(lines.indexOf("Examples:")).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @MethodSource("commands")
    void everyCommandHasAnExampleThatNamesIt(CommandSpec command) {
        assertThat(command.name().equals("version")
                        || command.examples().stream()
                                .anyMatch(example -> example.line().contains("muster " + command.name())))
                .isTrue();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void exitCodesAreExplained(CommandSpec command) {
        String help = at(80).ofCommand(command);

        assertThat(command.exits()).allSatisfy(exit -> assertThat(help).contains("  " + exit + "\n"));
    }

    @Test
    void theProgramsHelpExplainsTheExitCodesThatEveryCommandHas() {
        assertThat(at(80).ofProgram(TITLES).lines())
                .anyMatch(line -> line.startsWith("  0 "))
                .anyMatch(line -> line.startsWith("  1 "))
                .anyMatch(line -> line.startsWith("  2 "))
                .anyMatch(line -> line.startsWith("  70 "))
                .anyMatch(line -> line.startsWith("  74 "))
                .anyMatch(line -> line.startsWith("  141 "));
    }

    @ParameterizedTest
    @ValueSource(ints = {60, 80, 120})
    void noLineIsWiderThanTheTerminal(int columns) {
        assertThat(at(columns).ofProgram(TITLES).lines())
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(columns));
        for (CommandSpec command : COMMANDS) {
            assertThat(at(columns).ofCommand(command).lines())
                    .as(command.name())
                    .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(columns));
        }
    }

    static final List<Integer> ODD_WIDTHS = List.of(20, 33, 47, Integer.MAX_VALUE);

    @ParameterizedTest
    @FieldSource("ODD_WIDTHS")
    void noWordIsLostAtAnyWidth(int columns) {
        for (CommandSpec command : COMMANDS) {
            assertThat(unwrapped(at(columns).ofCommand(command))).isEqualTo(unwrapped(at(80).ofCommand(command)));
        }
    }

    @Test
    void titlesStandOutWhereThereIsColour() {
        String help = new HelpText(new Terminal(true, true, false, 80)).ofProgram(TITLES);

        assertThat(help).contains("\u001b[1mExamples:\u001b[0m\n");
    }

    private static HelpText at(int columns) {
        return new HelpText(new Terminal(true, false, false, columns));
    }

    private static String unwrapped(String text) {
        return text.replaceAll("\\s+", " ").strip();
    }
}
