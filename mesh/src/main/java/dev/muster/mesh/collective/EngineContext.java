package dev.muster.mesh.collective;

import dev.muster.mesh.store.Secret;
import dev.muster.mesh.store.Store;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// What a session gives to those who open engines: where the members of a group meet, who they are, and how this
/// process
/// takes part. Implemented by Muster.
///
/// @since 0.1
public interface EngineContext {
    /// Where members meet; its keys are of this incarnation of the mesh alone.
    Store store();

    /// What all members know and others do not.
    Secret secret();

    /// Where this member listens for others.
    InetAddress address();

    /// How long opening a group may take.
    Duration limit();

    /// How many processors the ranks of this host share.
    int processors();

    /// Whether reductions always take ranks in ascending order, whatever it costs.
    boolean inRankOrder();

    /// The folder of this host whose files lie in memory.
    Path sharedMemory();

    /// How many ranks the mesh has.
    int worldSize();

    /// The rank of this process within its host.
    int localRank();

    /// The hosts of a group's members, in the order of the group.
    List<String> hosts(GroupIdentity group);

    /// Whether the members of a group are threads of one process, which share its memory.
    boolean isOneProcess(GroupIdentity group);

    /// A setting of the session, by the name of its variable, such as `MUSTER_GLOO_SHIM`.
    Optional<String> findSetting(String variable);

    /// Says something to the other members of a group, and hears what each of them says, in the order of the group,
    /// within the limit of the session.
    ///
    /// @param topic tells this exchange from others of the group
    /// @throws GroupException `limit-exceeded` with those that have said nothing, `store-lost` if the store fails
    List<byte[]> exchange(GroupIdentity group, String topic, byte[] own);

    /// The same for members that may lose interest while they wait.
    ///
    /// @param requireWanted is asked again and again; its exception ends the wait
    List<byte[]> exchange(GroupIdentity group, String topic, byte[] own, Duration limit, Runnable requireWanted);

    /// Opens the best engine for memory of the host.
    Choice openBest(GroupIdentity group);

    /// An engine that was chosen.
    ///
    /// @param reason why this one, for people
    /// @since 0.1
    record Choice(Engine engine, String reason) {}
}
