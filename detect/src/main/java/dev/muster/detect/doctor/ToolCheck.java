package dev.muster.detect.doctor;

import dev.muster.detect.doctor.Check.Verdict;
import dev.muster.detect.host.Tool;
import java.util.Optional;

/// Whether a vendor's tool may be run: nobody but its owner can have changed it.
///
/// @param id the check's name
/// @param tool the tool
record ToolCheck(String id, Tool tool) {
    Verdict examine(Patient patient) {
        Optional<String> path = patient.host().commands().findPath(tool);
        if (path.isEmpty()) {
            return Verdict.skip(tool.name() + " is not installed where packages put it");
        }
        Optional<String> objection = patient.host().commands().findObjection(tool);
        return objection.isEmpty()
                ? Verdict.pass(path.get())
                : Verdict.warn(
                        objection.get() + ", so it is not run",
                        "take the write permission from others: chmod go-w " + path.get());
    }
}
