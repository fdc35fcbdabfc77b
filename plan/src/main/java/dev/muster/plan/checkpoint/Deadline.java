package dev.muster.plan.checkpoint;

import static dev.muster.plan.checkpoint.CheckpointException.Code.TIMED_OUT;

import java.time.Duration;

/// When reading has to end. Asked each time a file is read from.
final class Deadline {
    private final long end;
    private final Duration allowed;

    private Deadline(Duration allowed) {
        this.allowed = allowed;
        this.end = System.nanoTime() + allowed.toNanos();
    }

    static Deadline after(Duration allowed) {
        return new Deadline(allowed);
    }

    void check(String file) {
        if (System.nanoTime() - end > 0) {
            throw CheckpointException.of(TIMED_OUT, file, "took longer than " + allowed.toSeconds() + " s to read");
        }
    }
}
