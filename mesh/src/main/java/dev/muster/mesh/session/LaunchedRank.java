// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.session;

import dev.muster.mesh.launch.LaunchContext;
import dev.muster.mesh.launch.LaunchException;
import dev.muster.mesh.mpi.MpiProcess;
import dev.muster.mesh.mpi.MpiProvider;
import dev.muster.mesh.mpi.MpiRendezvous;
import dev.muster.mesh.recording.RecordingFiles;
import dev.muster.mesh.store.MemoryStore;
import dev.muster.mesh.store.Secret;
import dev.muster.mesh.store.Store;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The way in which a process that a launcher started takes part in its mesh.
final class LaunchedRank {
    private final LaunchContext context;
    private final String backend;
    private final boolean alone;
    private final @Nullable MpiRendezvous meeting;

    LaunchedRank(LaunchContext context) {
        this.context = context;
        this.backend = context.findBackend().orElse(Backends.AUTO);
        boolean needsMpi = requireKnown(backend);
        boolean storeless = !context.hasStore();
        this.alone = context.worldSize() == 1 && storeless;
        boolean meets = storeless && !alone && context.isStartedByMpi();
        this.meeting = meets || needsMpi ? enterMpi(storeless && !alone) : null;
    }

    /// Groups take the library that was entered first, so this comes before any group.
    private @Nullable MpiRendezvous enterMpi(boolean meets) {
        MpiProcess process = MpiProcess.enter(MpiProvider.libraries(context));
        process.requirePlace(context.rank(), context.worldSize());
        return meets ? MpiRendezvous.meet(process, context.limit(), context.tls()) : null;
    }

    Store store() {
        if (meeting != null) {
            return meeting.store();
        }
        return alone ? MemoryStore.create().open() : context.openStore();
    }

    SessionConfig config() {
        SessionConfig config = SessionConfig.of(secret())
                .withBackend(backend)
                .withSettings(context.settings())
                .withLimit(context.limit())
                .withAddress(address());
        return recordings().map(config::withRecordings).orElse(config);
    }

    /// A folder that cannot be written to is said now: when the mesh has failed, the message would not be seen.
    private Optional<Path> recordings() {
        Optional<Path> folder = context.findRecordings();
        if (folder.isPresent() && !RecordingFiles.canWriteIn(folder.get())) {
            throw new LaunchException(
                    "MUSTER_RECORDINGS is " + folder.get() + ", which is not writable; name another folder");
        }
        return folder;
    }

    private Secret secret() {
        if (alone) {
            return Secret.of(Secret.randomText());
        }
        if (meeting != null) {
            return meeting.secret();
        }
        return context.findSecret()
                .orElseThrow(() -> new LaunchException("MUSTER_SECRET is not set: start the processes with 'muster mesh"
                        + " run', or set the same random text for all of them"));
    }

    /// @return true if ranks must have been started by a launcher of MPI
    private static boolean requireKnown(String backend) {
        return !backend.equals(Backends.AUTO)
                && Backends.find(backend)
                        .orElseThrow(() -> new LaunchException("MUSTER_BACKEND must be one of "
                                + String.join(", ", Backends.names()) + "; a third-party backend is found if its"
                                + " jar is on the class path"))
                        .needsMpi();
    }

    /// Returns the address at which this process is reached by those that reach the store: the address from which it
    /// would talk to it.
    private InetAddress address() {
        if (meeting != null) {
            return towards(meeting.address());
        }
        return context.findStoreServer()
                .map(server -> towards(new InetSocketAddress(server.getHostString(), server.getPort())))
                .orElseGet(InetAddress::getLoopbackAddress);
    }

    static InetAddress towards(InetSocketAddress store) {
        // Connecting a datagram socket chooses an address and sends nothing.
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(store);
            return socket.getLocalAddress();
        } catch (IOException | IllegalArgumentException e) {
            throw new LaunchException(
                    "no address of this host reaches the store at " + store.getHostString() + ": " + e.getMessage());
        }
    }
}
