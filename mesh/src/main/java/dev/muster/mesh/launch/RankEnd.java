package dev.muster.mesh.launch;

import java.util.List;
import java.util.Map;

/// How a process ended.
///
/// @param rank which one
/// @param code its exit code; 128 and the number of the signal for one that was ended by a signal
/// @param lastLines what it wrote last
/// @since 0.1
public record RankEnd(int rank, int code, List<String> lastLines) {
    private static final int SIGNALS = 128;
    /// The signals that end processes, by their numbers on Linux and macOS.
    private static final Map<Integer, String> NAMES = Map.of(
            1, "SIGHUP", 2, "SIGINT", 3, "SIGQUIT", 4, "SIGILL", 6, "SIGABRT", 8, "SIGFPE", 9, "SIGKILL", 11, "SIGSEGV",
            13, "SIGPIPE", 15, "SIGTERM");

    /// Copies the lines.
    public RankEnd {
        lastLines = List.copyOf(lastLines);
    }

    /// Whether it failed.
    public boolean isFailure() {
        return code != 0;
    }

    /// What happened, for the middle of a sentence.
    public String description() {
        String name = NAMES.get(code - SIGNALS);
        return name == null ? "failed with exit code " + code : "was ended by " + name + " (exit code " + code + ")";
    }
}
