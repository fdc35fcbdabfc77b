// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.option;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One command as people see it. Parsing, help, completion and the man page all come from this. Every start comes
/// here, so there are loops where streams would do (docs/decisions/0004).
///
/// @param name the command's name
/// @param summary purpose, in one line
/// @param operands operands behind the options, as help shows them; blank when there are none
/// @param maxOperands largest number of operands
/// @param operandChoices the operands allowed; empty when any is
/// @param options the command's own options
/// @param formats the output formats, the default first; empty if the command has only one
/// @param exits its exit codes beyond the usual, a line each
/// @param examples command lines with what they do
/// @param asksMachine true if help offers the options that say which machine is asked
public record CommandSpec(
        String name,
        String summary,
        String operands,
        int maxOperands,
        List<String> operandChoices,
        List<OptionSpec> options,
        List<OutputFormat> formats,
        List<String> exits,
        List<Example> examples,
        boolean asksMachine) {
    /// A command line and what it does.
    public record Example(String line, String meaning) {}

    /// A command that prints a report and takes nothing of its own so far.
    public static CommandSpec of(CommandTitle title) {
        return new CommandSpec(
                title.name(),
                title.summary(),
                "",
                0,
                List.of(),
                List.of(),
                OutputFormat.OF_REPORTS,
                List.of(),
                List.of(),
                true);
    }

    /// With up to so many operands.
    public CommandSpec taking(int most, String shown, String... choices) {
        return new CommandSpec(
                name, summary, shown, most, List.of(choices), options, formats, exits, examples, asksMachine);
    }

    /// With options of its own.
    public CommandSpec with(OptionSpec... own) {
        return with(List.of(own));
    }

    /// With options of its own, in addition to those it has.
    public CommandSpec with(List<OptionSpec> own) {
        List<OptionSpec> more = new ArrayList<>(options);
        more.addAll(own);
        return having(List.copyOf(more), exits, examples);
    }

    public CommandSpec printing(List<OutputFormat> forms) {
        return new CommandSpec(
                name, summary, operands, maxOperands, operandChoices, options, forms, exits, examples, asksMachine);
    }

    /// With exit codes, a line each.
    public CommandSpec exiting(String... codes) {
        return having(options, List.of(codes), examples);
    }

    public CommandSpec example(String line, String meaning) {
        List<Example> more = new ArrayList<>(examples);
        more.add(new Example(line, meaning));
        return having(options, exits, List.copyOf(more));
    }

    /// With no machine to ask. The options that name one are still understood, so that they are refused with a reason.
    public CommandSpec askingNoMachine() {
        return new CommandSpec(
                name, summary, operands, maxOperands, operandChoices, options, formats, exits, examples, false);
    }

    private CommandSpec having(List<OptionSpec> own, List<String> codes, List<Example> shown) {
        return new CommandSpec(
                name, summary, operands, maxOperands, operandChoices, own, formats, codes, shown, asksMachine);
    }

    /// Returns the command's own options and those that every command has.
    public List<OptionSpec> allOptions() {
        List<OptionSpec> all = new ArrayList<>(options);
        addCommon(CommonOptions.GENERAL, all);
        addCommon(CommonOptions.SOURCE, all);
        return all;
    }

    /// Returns the options on how to print and what to log, as this command has them.
    public List<OptionSpec> generalOptions() {
        List<OptionSpec> general = new ArrayList<>();
        addCommon(CommonOptions.GENERAL, general);
        return general;
    }

    /// Returns the options on which machine is asked, as this command has them; none if it asks none.
    public List<OptionSpec> sourceOptions() {
        List<OptionSpec> source = new ArrayList<>();
        if (asksMachine) {
            addCommon(CommonOptions.SOURCE, source);
        }
        return source;
    }

    /// A command may give a common name a meaning of its own, and prints in some forms only.
    private void addCommon(List<OptionSpec> common, List<OptionSpec> all) {
        for (int i = 0; i < common.size(); i++) {
            OptionSpec option = common.get(i);
            boolean output = option.name().equals(CommonOptions.OUTPUT.name());
            boolean form = output || option.name().equals(CommonOptions.JSON.name());
            if (find(options, option.name()).isEmpty() && !(form && formats.isEmpty())) {
                all.add(output ? OutputFormat.option(formats) : option);
            }
        }
    }

    public Optional<OptionSpec> findOption(String optionName) {
        return find(allOptions(), optionName);
    }

    private static Optional<OptionSpec> find(List<OptionSpec> options, String name) {
        for (OptionSpec option : options) {
            if (option.name().equals(name)) {
                return Optional.of(option);
            }
        }
        return Optional.empty();
    }

    public Optional<OptionSpec> findLetter(String letter) {
        for (OptionSpec option : allOptions()) {
            if (letter.equals(option.letter())) {
                return Optional.of(option);
            }
        }
        return Optional.empty();
    }
}
