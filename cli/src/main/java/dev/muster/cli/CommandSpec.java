package dev.muster.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One command as people see it. Parsing, help, completion and the man page all come from this.
///
/// @param name the command's name
/// @param summary what it does, in one line
/// @param operands what stands behind the options, as help shows it; blank when nothing does
/// @param maxOperands how many operands are allowed
/// @param operandChoices the operands allowed; empty when any is
/// @param options the command's own options
/// @param exits its exit codes beyond the usual, a line each
/// @param examples command lines with what they do
record CommandSpec(
        String name,
        String summary,
        String operands,
        int maxOperands,
        List<String> operandChoices,
        List<OptionSpec> options,
        List<String> exits,
        List<Example> examples) {
    /// A command line and what it does.
    record Example(String line, String meaning) {}

    /// The command's own options and those that every command has.
    List<OptionSpec> allOptions() {
        List<OptionSpec> all = new ArrayList<>(options);
        for (OptionSpec common : CommonOptions.ALL) {
            // A command may give a common name a meaning of its own.
            if (options.stream().noneMatch(own -> own.name().equals(common.name()))) {
                all.add(common);
            }
        }
        return all;
    }

    Optional<OptionSpec> findOption(String optionName) {
        return allOptions().stream()
                .filter(option -> option.name().equals(optionName))
                .findFirst();
    }

    Optional<OptionSpec> findLetter(String letter) {
        return allOptions().stream()
                .filter(option -> letter.equals(option.letter()))
                .findFirst();
    }
}
