// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import dev.muster.core.Gap;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.detect.host.CommandOutcome;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.text.Amount;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/// The driver's tool during one probe. Once it did not answer in time it is not asked again. Confined to one thread.
final class NvidiaSmi {
    private static final int MAX_MESSAGE = 400;

    private final ProbeContext context;
    private final Consumer<Gap> gaps;
    private boolean hung;

    /// The tool.
    ///
    /// @param gaps told where it fails
    NvidiaSmi(ProbeContext context, Consumer<Gap> gaps) {
        this.context = context;
        this.gaps = gaps;
    }

    /// The source of its facts.
    Provenance source() {
        return context.fromTool(NvidiaProbe.SMI);
    }

    /// Asks something that every version of the tool knows; a failure is a gap.
    Outcome ask(String... arguments) {
        if (hung) {
            return new Outcome("", "nvidia-smi did not answer in time", true);
        }
        CommandOutcome outcome = context.run(NvidiaProbe.SMI, arguments);
        findGap(outcome).ifPresent(gaps);
        return switch (outcome) {
            case CommandOutcome.Completed done ->
                new Outcome(done.output(), done.exitCode() == 0 ? "" : message(done), true);
            case CommandOutcome.Expired(Duration limit) -> {
                hung = true;
                // Where no time was left to start it, it says nothing about the driver.
                yield new Outcome("", "nvidia-smi did not answer in time", !limit.isZero());
            }
            case CommandOutcome.NotFound _ -> new Outcome("", "nvidia-smi is not installed", false);
            case CommandOutcome.NotRun denied -> new Outcome("", denied.reason(), true);
            case CommandOutcome.Failed failed -> new Outcome("", failed.message(), true);
        };
    }

    /// Asks something that not every version, system or GPU has an answer to; only a success says anything.
    Optional<String> askIfKnown(String... arguments) {
        if (hung) {
            return Optional.empty();
        }
        CommandOutcome outcome = context.run(NvidiaProbe.SMI, arguments);
        if (outcome instanceof CommandOutcome.Expired) {
            hung = true;
            findGap(outcome).ifPresent(gaps);
        }
        return outcome.findOutput();
    }

    /// Returns the tool's output, even with a failing exit code: one lost GPU is enough for that, and the tool
    /// still reports the others.
    Optional<String> findAnyOutput(String... arguments) {
        if (hung) {
            return Optional.empty();
        }
        CommandOutcome outcome = context.run(NvidiaProbe.SMI, arguments);
        if (outcome instanceof CommandOutcome.Expired) {
            hung = true;
            findGap(outcome).ifPresent(gaps);
        }
        return outcome instanceof CommandOutcome.Completed done ? Optional.of(done.output()) : Optional.empty();
    }

    /// The tool writes its complaints to standard output.
    private static Optional<Gap> findGap(CommandOutcome outcome) {
        if (outcome instanceof CommandOutcome.Completed done && done.exitCode() != 0) {
            return Optional.of(new Gap.ToolFailed(
                    NvidiaProbe.SMI.name(), Reading.known(done.exitCode(), Provenance.GIVEN), message(done)));
        }
        return outcome.findGap(NvidiaProbe.SMI.name());
    }

    private static String message(CommandOutcome.Completed done) {
        String said =
                done.error().isBlank() ? complaint(done.output()) : done.error().strip();
        return said.length() > MAX_MESSAGE ? said.substring(0, MAX_MESSAGE) : said;
    }

    /// Returns the remarks around the answer itself: without rows of healthy GPUs, or the document.
    private static String complaint(String output) {
        StringBuilder complaint = new StringBuilder();
        for (String line : output.split("\n")) {
            String text = line.strip();
            if (text.startsWith("<")) {
                break;
            }
            if (!text.isEmpty() && !isRow(text)) {
                complaint.append(complaint.isEmpty() ? "" : "\n").append(text);
            }
        }
        return complaint.toString();
    }

    private static boolean isRow(String line) {
        int comma = line.indexOf(',');
        return comma > 0
                && Amount.count(line.substring(0, comma), Long.MAX_VALUE).isPresent();
    }

    /// The result of a query.
    ///
    /// @param output the output
    /// @param failure the problem; blank after a success
    /// @param asked true if the tool exists and had time
    record Outcome(String output, String failure, boolean asked) {}
}
