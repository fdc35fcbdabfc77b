// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.collective;

import dev.muster.mesh.launch.LaunchContext;
import dev.muster.mesh.store.Secret;
import dev.muster.mesh.store.Store;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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

    /// Reports whether its engines take buffers that lie on devices. Groups of others refuse them.
    default boolean isForDevices() {
        return false;
    }

    /// Reports whether ranks must be started by a launcher of MPI.
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

    /// The context that a session gives to providers of engines: the place where the members of a group meet, who they
    /// are, and how this process takes part. Implemented by Muster.
    public interface EngineContext {
        /// Returns the store where members meet; its keys are of this incarnation of the mesh alone.
        Store store();

        /// Returns the secret that only members know.
        Secret secret();

        /// Returns the address at which this member listens for others.
        InetAddress address();

        /// Returns the limit of opening a group.
        Duration limit();

        /// Returns the number of processors that the ranks of this host share.
        int processors();

        /// Reports whether reductions always take ranks in ascending order, at any cost.
        boolean inRankOrder();

        /// The folder of this host whose files lie in memory.
        Path sharedMemory();

        /// Returns the number of ranks of the mesh.
        int worldSize();

        /// The rank of this process within its host.
        int localRank();

        /// The hosts of a group's members, in the order of the group.
        List<String> hosts(GroupIdentity group);

        /// Reports whether the members of a group are threads of one process, which share its memory.
        boolean isOneProcess(GroupIdentity group);

        /// A setting of the session, by the name of its variable, such as `MUSTER_GLOO_SHIM`.
        Optional<String> findSetting(String variable);

        /// Says something to the other members of a group, and hears what each of them says, in the order of the
        /// group, within the limit of the session.
        ///
        /// @param topic tells this exchange from others of the group
        /// @throws GroupException `limit-exceeded` with those that have said nothing, `store-lost` if the store
        ///     fails
        default List<byte[]> exchange(GroupIdentity group, String topic, byte[] own) {
            return exchange(group, topic, own, limit(), () -> {});
        }

        /// The same for members that may lose interest while they wait.
        ///
        /// @param requireWanted is asked again and again; its exception ends the wait
        List<byte[]> exchange(GroupIdentity group, String topic, byte[] own, Duration limit, Runnable requireWanted);

        /// Opens the best engine for memory of the host.
        EngineChoice openBest(GroupIdentity group);

        /// An engine that was chosen.
        ///
        /// @param reason reason for the choice, for people
        /// @since 0.1
        record EngineChoice(Engine engine, String reason) {}
    }
}
