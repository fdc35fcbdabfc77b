// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.option;

import dev.muster.model.PlanException;
import dev.muster.report.text.Printable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// The options and operands of one call, checked against the command's specification.
public final class Arguments {
    /// The names of options in release 0.1.
    private static final Map<String, String> RENAMED =
            Map.of("max-first-token", "max-ttft", "max-per-token", "max-tpot", "backend", "only");

    private final Map<String, String> options;
    private final List<String> operands;

    private Arguments(Map<String, String> options, List<String> operands) {
        this.options = options;
        this.operands = List.copyOf(operands);
    }

    /// Reads what stands on the command line, the command's name left out.
    ///
    /// @throws UsageException if an option is unknown, given twice, has no value or has one it should not have
    public static Arguments parse(CommandSpec spec, List<String> words) {
        return new ArgumentParser(spec).parse(words);
    }

    public boolean has(OptionSpec option) {
        return has(option.name());
    }

    public boolean has(String option) {
        return options.containsKey(option);
    }

    /// Reports whether any of the options is given. Every start comes here (docs/decisions/0004).
    public boolean hasAny(List<OptionSpec> options) {
        for (int i = 0; i < options.size(); i++) {
            if (has(options.get(i))) {
                return true;
            }
        }
        return false;
    }

    /// Refuses options that make no sense beside another.
    ///
    /// @param reason the reason
    /// @throws UsageException if one of them is given
    public void refuse(List<OptionSpec> options, String reason) {
        for (OptionSpec option : options) {
            if (has(option)) {
                throw new UsageException("--" + option.name() + " does not apply: " + reason);
            }
        }
    }

    public Optional<String> find(OptionSpec option) {
        return find(option.name());
    }

    public Optional<String> find(String option) {
        return Optional.ofNullable(options.get(option));
    }

    /// Converts the value of an option.
    ///
    /// @throws UsageException if the parser refuses it
    public <T> Optional<T> read(OptionSpec option, Function<String, T> parser) {
        try {
            return find(option).map(parser);
        } catch (IllegalArgumentException | PlanException e) {
            throw new UsageException("--" + option.name(), e);
        }
    }

    /// Converts each part of an option's value between commas; empty if the option is not given.
    ///
    /// @throws UsageException if the parser refuses one
    <T> List<T> readAll(OptionSpec option, Function<String, T> parser) {
        return read(
                        option,
                        text -> Arrays.stream(text.split(",", -1))
                                .map(String::strip)
                                .map(parser)
                                .toList())
                .orElse(List.of());
    }

    /// Returns the item that an option names by its label.
    public <T> Optional<T> choose(OptionSpec option, T[] things, Function<T, String> label) {
        return find(option)
                .flatMap(word -> Arrays.stream(things)
                        .filter(thing -> label.apply(thing).equals(word))
                        .findFirst());
    }

    public List<String> operands() {
        return operands;
    }

    /// Returns the same options with the operands behind the first, for the command that the first names.
    ///
    /// @throws UsageException if that command has no such option, or takes fewer operands
    public Arguments behindFirst(CommandSpec spec) {
        for (String name : options.keySet()) {
            if (spec.findOption(name).isEmpty()) {
                throw new UsageException("'muster " + spec.name() + "' has no option --" + name);
            }
        }
        ArgumentParser parser = new ArgumentParser(spec);
        parser.operands.addAll(operands.subList(1, operands.size()));
        parser.checkOperands();
        return new Arguments(options, parser.operands);
    }

    /// Returns a copy without options to which that command gives a meaning of its own.
    public Arguments withUsualMeaning(CommandSpec spec) {
        Map<String, String> usual = new HashMap<>(options);
        for (OptionSpec own : spec.options()) {
            usual.remove(own.name());
        }
        return new Arguments(usual, operands);
    }

    private static final class ArgumentParser {
        private final CommandSpec spec;
        private final Map<String, String> options = new HashMap<>();
        private final List<String> operands = new ArrayList<>();

        ArgumentParser(CommandSpec spec) {
            this.spec = spec;
        }

        Arguments parse(List<String> words) {
            int at = 0;
            boolean optionsEnded = false;
            while (at < words.size()) {
                String word = words.get(at++);
                if (optionsEnded || !word.startsWith("-") || word.equals("-")) {
                    operands.add(word);
                } else if (word.equals("--")) {
                    optionsEnded = true;
                } else {
                    at = parseOption(word, words, at);
                }
            }
            if (options.containsKey(CommonOptions.JSON.name()) && options.containsKey(CommonOptions.OUTPUT.name())) {
                throw new UsageException("give either --json or --output, not both");
            }
            checkOperands();
            return new Arguments(options, operands);
        }

        /// Reads one option and returns where the next word stands.
        private int parseOption(String word, List<String> words, int next) {
            int equals = word.indexOf('=');
            String bare = equals < 0 ? word : word.substring(0, equals);
            OptionSpec option = require(bare);
            if (!option.takesValue()) {
                if (equals >= 0) {
                    throw new UsageException("option " + bare + " takes no value");
                }
                put(option, "");
                return next;
            }
            if (equals >= 0) {
                put(option, word.substring(equals + 1));
                return next;
            }
            if (next >= words.size()) {
                throw new UsageException("option " + bare + " needs a value, " + option.value());
            }
            put(option, words.get(next));
            return next + 1;
        }

        private OptionSpec require(String bare) {
            Optional<OptionSpec> found =
                    bare.startsWith("--") ? spec.findOption(bare.substring(2)) : spec.findLetter(bare.substring(1));
            return found.orElseThrow(() -> unknown(bare));
        }

        private UsageException unknown(String bare) {
            List<String> names =
                    spec.allOptions().stream().map(OptionSpec::name).toList();
            String word = bare.replaceFirst("^-+", "");
            String renamed = RENAMED.get(word);
            if (renamed != null && names.contains(renamed)) {
                return new UsageException(
                        "unknown option " + Printable.of(bare) + "; it is called --" + renamed + " now");
            }
            return new UsageException("unknown option " + Printable.of(bare) + UsageException.hint(word, names, "--"));
        }

        private void put(OptionSpec option, String value) {
            if (!option.choices().isEmpty() && !option.choices().contains(value)) {
                throw new UsageException("--" + option.name() + " is one of " + String.join(", ", option.choices())
                        + ", not '" + Printable.of(value) + "'" + UsageException.hint(value, option.choices(), ""));
            }
            if (option.isRepeatable()) {
                options.merge(option.name(), value, (before, more) -> before + "\n" + more);
                return;
            }
            if (options.put(option.name(), value) != null) {
                throw new UsageException("option --" + option.name() + " is given twice");
            }
        }

        private void checkOperands() {
            if (operands.size() > spec.maxOperands()) {
                String extra = operands.get(spec.maxOperands());
                throw new UsageException("unexpected argument '" + Printable.of(extra) + "'");
            }
            for (String operand : operands) {
                if (!spec.operandChoices().isEmpty() && !spec.operandChoices().contains(operand)) {
                    throw new UsageException("'" + Printable.of(operand) + "' is not one of "
                            + String.join(", ", spec.operandChoices())
                            + UsageException.hint(operand, spec.operandChoices(), ""));
                }
            }
        }
    }
}
