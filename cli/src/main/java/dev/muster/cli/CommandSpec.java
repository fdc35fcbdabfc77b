package dev.muster.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One command as people see it. Parsing, help, completion and the man page all come from this. Every start comes
/// here, so there are loops where streams would do (docs/decisions/0004).
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
            if (find(options, common.name()).isEmpty()) {
                all.add(common);
            }
        }
        return all;
    }

    Optional<OptionSpec> findOption(String optionName) {
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

    Optional<OptionSpec> findLetter(String letter) {
        for (OptionSpec option : allOptions()) {
            if (letter.equals(option.letter())) {
                return Optional.of(option);
            }
        }
        return Optional.empty();
    }
}
