// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.ask;

import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandException;
import dev.muster.cli.option.OptionSpec;
import dev.muster.cli.option.TextFile;
import dev.muster.cli.option.UsageException;
import dev.muster.plan.ask.Naming;
import dev.muster.plan.ask.Parameter;
import dev.muster.plan.ask.ParameterValues;
import dev.muster.plan.ask.QuestionException;
import dev.muster.plan.ask.QuestionKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// Options of the commands that ask the planner, from the table of parameters.
public final class QuestionOptions {
    private static final int MAX_FILE = 256 << 20;

    private QuestionOptions() {}

    public static OptionSpec of(Parameter<?> parameter) {
        if (parameter.isFlag()) {
            return OptionSpec.flag(parameter.option(), parameter.help());
        }
        List<String> choices = parameter.choices();
        return choices.isEmpty()
                ? OptionSpec.value(parameter.option(), parameter.placeholder(), parameter.help())
                : OptionSpec.choice(parameter.option(), parameter.placeholder(), choices, parameter.help());
    }

    public static List<OptionSpec> of(QuestionKind kind) {
        List<Parameter<?>> load = kind.loadParameters();
        List<OptionSpec> options = new ArrayList<>();
        for (Parameter<?> parameter : kind.parameters()) {
            if (!parameter.isOperand()) {
                options.add(load.contains(parameter) ? of(parameter).in("Load options") : of(parameter));
            }
        }
        return options;
    }

    /// Returns the options of a kind of question without those that others share.
    public static List<OptionSpec> without(QuestionKind kind, List<Parameter<?>> others) {
        List<OptionSpec> options = of(kind);
        options.removeIf(
                option -> others.stream().anyMatch(other -> other.option().equals(option.name())));
        return options;
    }

    static boolean has(Arguments arguments, Parameter<?> parameter) {
        return arguments.has(parameter.option());
    }

    /// Reads the options of a kind of question.
    ///
    /// @throws UsageException if a value does not have the form of its parameter
    /// @throws CommandException if a file cannot be read
    public static ParameterValues values(QuestionKind kind, Arguments arguments) {
        List<Parameter<?>> parameters = kind.parameters();
        ParameterValues values = asked(() -> ParameterValues.parse(
                parameters, parameter -> parameter.isFile() ? Optional.empty() : arguments.find(parameter.option())));
        for (Parameter<?> parameter : parameters) {
            if (parameter.isFile() && has(arguments, parameter)) {
                values = withFile(
                        values, parameter, arguments.find(parameter.option()).orElseThrow());
            }
        }
        return values;
    }

    private static <T> ParameterValues withFile(ParameterValues values, Parameter<T> parameter, String file) {
        String content = TextFile.read(file, MAX_FILE);
        try {
            return values.with(parameter, parameter.parse(content));
        } catch (QuestionException e) {
            throw new CommandException("cannot read '" + file + "'", e);
        }
    }

    /// Runs what may refuse a question.
    ///
    /// @throws UsageException with the names of options, if it does
    public static <T> T asked(Supplier<T> work) {
        try {
            return work.get();
        } catch (QuestionException e) {
            throw new UsageException(e.sentence(Naming.OPTIONS));
        }
    }
}
