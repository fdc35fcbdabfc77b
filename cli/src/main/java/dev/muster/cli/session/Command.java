// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.session;

import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import java.util.List;

/// One command of the program.
public interface Command {
    /// The name and what else is known of a command without its options.
    CommandTitle title();

    CommandSpec spec();

    /// Returns the help for those operands; differs from [#spec()] if the first operand says
    /// what to do.
    default CommandSpec specOf(List<String> operands) {
        return spec();
    }

    default boolean asksTelemetry(Arguments arguments) {
        return false;
    }

    /// Does the work and returns the exit code.
    ///
    /// @throws UsageException if the arguments make no sense together
    /// @throws CommandException if the work cannot be done
    int run(Arguments arguments, Session session);
}
