// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.host;

import dev.muster.core.Gap;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import java.time.Duration;
import java.util.Optional;

/// The result of running a tool. Only [Completed] says anything about devices: an empty answer of any other outcome is
/// not "no devices".
///
/// @since 0.1
public sealed interface CommandOutcome {
    /// Returns the gap that this outcome leaves; nothing if the tool succeeded or is not installed.
    ///
    /// @param tool the tool's name
    default Optional<Gap> findGap(String tool) {
        return switch (this) {
            case Completed done
            when done.exitCode == 0 ->
                done.truncated
                        ? Optional.of(new Gap.Unparsable(tool, "it printed more than is read"))
                        : Optional.empty();
            case Completed done -> {
                boolean signalled = done.exitCode > Completed.SIGNALS;
                Reading<Integer> code =
                        signalled ? Reading.notProbed() : Reading.known(done.exitCode, Provenance.GIVEN);
                yield Optional.of(new Gap.ToolFailed(tool, code, done.error));
            }
            case NotFound _ -> Optional.empty();
            case NotRun(String reason) ->
                Optional.of(new Gap.ToolFailed(tool, Reading.unknown(UnknownReason.NOT_PERMITTED), reason));
            case Expired(Duration limit) -> Optional.of(new Gap.Timeout(tool, limit.toMillis() / Expired.MILLIS));
            case Failed(String message) ->
                Optional.of(new Gap.ToolFailed(tool, Reading.unknown(UnknownReason.UNREADABLE), message));
        };
    }

    /// Reports whether the tool ran and reported success.
    default boolean isSuccess() {
        return this instanceof Completed completed && completed.exitCode() == 0;
    }

    /// Returns the tool's output, if it succeeded.
    default Optional<String> findOutput() {
        return this instanceof Completed completed && completed.exitCode() == 0
                ? Optional.of(completed.output())
                : Optional.empty();
    }

    /// The tool ran to its end.
    ///
    /// @param exitCode its exit code; 128 and the signal's number where a signal ended it
    /// @param output its standard output; bytes that are not UTF-8 are replaced
    /// @param error its standard error
    /// @param took its run time
    /// @param truncated true if the output was longer than was kept
    record Completed(int exitCode, String output, String error, Duration took, boolean truncated)
            implements CommandOutcome {
        private static final int SIGNALS = 128;
    }

    /// The tool is not installed.
    record NotFound() implements CommandOutcome {}

    /// The tool is there but is not run.
    ///
    /// @param reason the reason: another user could have changed it, or it may not be executed
    record NotRun(String reason) implements CommandOutcome {}

    /// The tool did not end in time and was ended.
    ///
    /// @param limit its time limit
    record Expired(Duration limit) implements CommandOutcome {
        private static final double MILLIS = 1000.0;
    }

    /// The tool could not be started.
    ///
    /// @param message the problem
    record Failed(String message) implements CommandOutcome {}
}
