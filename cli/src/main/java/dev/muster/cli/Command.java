package dev.muster.cli;

/// One command of the program.
interface Command {
    CommandSpec spec();

    /// Does the work and returns the exit code.
    ///
    /// @throws UsageException if the arguments make no sense together
    /// @throws CommandException if the work cannot be done
    int run(Arguments arguments, Session session);
}
