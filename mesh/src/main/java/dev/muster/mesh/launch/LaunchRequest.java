package dev.muster.mesh.launch;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// Which program to start as how many ranks, and how. Immutable.
///
/// @param command the program and its arguments
/// @param ranks how many processes
/// @param variables what every process inherits, such as `System.getenv()`
/// @param backend what carries their process groups, such as `auto` or `shm`
/// @param limit how long the ranks wait for each other
/// @param grace how long processes get to end by themselves after a failure, and again after SIGTERM
/// @param address where the store is served, at which the ranks meet
/// @since 0.1
public record LaunchRequest(
        List<String> command,
        int ranks,
        Map<String, String> variables,
        String backend,
        Duration limit,
        Duration grace,
        InetAddress address) {
    /// How long ranks wait for each other if nothing else is said.
    public static final Duration DEFAULT_LIMIT = Duration.ofSeconds(60);
    /// How long processes get to end if nothing else is said.
    public static final Duration DEFAULT_GRACE = Duration.ofSeconds(5);

    /// Checks the number and copies the collections.
    public LaunchRequest {
        if (ranks < 1 || command.isEmpty()) {
            throw new IllegalArgumentException("a launch has a program and at least one rank");
        }
        command = List.copyOf(command);
        variables = Map.copyOf(variables);
    }

    /// Ranks of this host, with the backend `auto` and the usual limits.
    ///
    /// @param variables what every process inherits, such as `System.getenv()`
    public static LaunchRequest of(List<String> command, int ranks, Map<String, String> variables) {
        return new LaunchRequest(
                command, ranks, variables, "auto", DEFAULT_LIMIT, DEFAULT_GRACE, InetAddress.getLoopbackAddress());
    }

    /// The same with another backend.
    public LaunchRequest withBackend(String other) {
        return new LaunchRequest(command, ranks, variables, other, limit, grace, address);
    }

    /// The same with other limits.
    public LaunchRequest withLimits(Duration otherLimit, Duration otherGrace) {
        return new LaunchRequest(command, ranks, variables, backend, otherLimit, otherGrace, address);
    }

    /// The same with the store at another address of this host, which ranks of other hosts can reach.
    public LaunchRequest withAddress(InetAddress other) {
        return new LaunchRequest(command, ranks, variables, backend, limit, grace, other);
    }
}
