package dev.muster.mesh.collective;

import dev.muster.mesh.launch.LaunchContext;
import java.util.Optional;

/// A backend: opens the engines that carry process groups. Implement it to carry groups another way, and give it to
/// `SessionConfig.withProvider`, or name the class in `META-INF/services` or `provides`, so that `--backend` and
/// `MUSTER_BACKEND` find it by its name.
///
/// One that was found as a service serves one session; one that was given to a configuration serves every session of
/// it. Its methods are called by the thread that opens groups.
///
/// @since 0.1
public interface EngineProvider {
    /// The word that people write for it, such as `shm`: lower case, without blanks, unlike those of all others.
    String name();

    /// Opens the engine of a group together with its other members, each of which calls this too.
    ///
    /// @throws GroupException `unavailable` if it cannot be used here; `limit-exceeded` if members do not come
    Engine open(GroupIdentity group, EngineContext context);

    /// Whether its engines take buffers that lie on devices. Groups of others refuse them.
    default boolean isForDevices() {
        return false;
    }

    /// Whether ranks must be started by a launcher of MPI.
    default boolean needsMpi() {
        return false;
    }

    /// The library of others that it would use here, with its version; empty if it needs none. Needs no other rank.
    ///
    /// @throws GroupException `unavailable` if it cannot be used, with the reason
    default Optional<String> findLibrary(LaunchContext context) {
        return Optional.empty();
    }

    /// Prepares for a group that is about to be divided; all its members call this before parts of it are opened.
    ///
    /// @param colour of those that stay together; negative for a member that joins no part
    default void divide(GroupIdentity parent, int colour, int key, EngineContext context) {
        // Most open a part like any other group.
    }
}
