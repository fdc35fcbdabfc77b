// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.host;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Answers for the tools of a recorded host with what they said then. Nothing is run.
///
/// @param answers the recorded answers; the first that matches is used
record RecordedCommands(List<RecordedCommand> answers) implements HostCommands {
    RecordedCommands {
        answers = List.copyOf(answers);
    }

    @Override
    public Optional<String> findPath(Tool tool) {
        return answers.stream()
                .map(RecordedCommand::program)
                .filter(program -> program.equals(tool.name()))
                .findFirst();
    }

    @Override
    public CommandOutcome run(Tool tool, List<String> arguments, CommandLimits limits) {
        for (RecordedCommand answer : answers) {
            if (answer.answers(tool.name(), arguments)) {
                return answer.took().compareTo(limits.time()) > 0
                        ? new CommandOutcome.Expired(limits.time())
                        : completed(answer, limits.maxBytes());
            }
        }
        return new CommandOutcome.NotFound();
    }

    private static CommandOutcome completed(RecordedCommand answer, int maxBytes) {
        String output = cut(answer.output(), maxBytes);
        String error = cut(answer.error(), maxBytes);
        boolean truncated = output.length() < answer.output().length()
                || error.length() < answer.error().length();
        return new CommandOutcome.Completed(answer.exitCode(), output, error, answer.took(), truncated);
    }

    private static String cut(String text, int length) {
        return text.length() > length ? text.substring(0, length) : text;
    }

    /// One run of a tool.
    ///
    /// @param program the tool's file name
    /// @param arguments its arguments; `*` as the last stands for any further ones
    /// @param exitCode its exit code
    /// @param output its standard output
    /// @param error its standard error
    /// @param took its run time
    record RecordedCommand(
            String program, List<String> arguments, int exitCode, String output, String error, Duration took) {
        private static final String ANY = "*";

        RecordedCommand {
            arguments = List.copyOf(arguments);
        }

        boolean answers(String name, List<String> asked) {
            if (!program.equals(name)) {
                return false;
            }
            int last = arguments.size() - 1;
            if (last < 0 || !arguments.get(last).equals(ANY)) {
                return arguments.equals(asked);
            }
            return asked.size() >= last && arguments.subList(0, last).equals(asked.subList(0, last));
        }
    }
}
