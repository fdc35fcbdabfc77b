package dev.muster.cli.launch;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/// What is to be started.
///
/// @param command the program and its arguments
/// @param environments the variables of each rank, in the order of ranks
/// @param grace how long processes get to end by themselves after a failure, and again after they were asked to
public record LaunchRequest(List<String> command, List<Map<String, String>> environments, Duration grace) {
    /// Copies the lists.
    public LaunchRequest {
        command = List.copyOf(command);
        environments = List.copyOf(environments);
    }
}
