package dev.muster.mesh.session;

import dev.muster.mesh.launch.LaunchContext;
import dev.muster.mesh.launch.LaunchException;
import dev.muster.mesh.launch.StoreAddress;
import dev.muster.mesh.store.MemoryStore;
import dev.muster.mesh.store.Secret;
import dev.muster.mesh.store.Store;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.stream.Collectors;

/// How a process that a launcher started takes part in its mesh.
final class LaunchedRank {
    private final LaunchContext context;
    private final boolean alone;

    LaunchedRank(LaunchContext context) {
        this.context = context;
        this.alone = context.worldSize() == 1 && context.findStore().isEmpty();
    }

    Store store() {
        return alone ? MemoryStore.create().open() : context.openStore();
    }

    SessionConfig config() {
        SessionConfig config = SessionConfig.of(secret())
                .withEngine(engine())
                .withLimit(context.limit())
                .withAddress(address());
        SessionConfig recording =
                context.findRecordings().map(config::withRecordings).orElse(config);
        return context.findGlooShim().map(recording::withGlooShim).orElse(recording);
    }

    private Secret secret() {
        if (alone) {
            return Secret.of(Secret.randomText());
        }
        return context.findSecret()
                .orElseThrow(() -> new LaunchException("MUSTER_SECRET is not set: start the processes with 'muster mesh"
                        + " run', or set the same random text for all of them"));
    }

    private EngineChoice engine() {
        String name = context.findTransport().orElse(EngineChoice.AUTO.text());
        return EngineChoice.parse(name)
                .orElseThrow(() -> new LaunchException("MUSTER_TRANSPORT is one of "
                        + Arrays.stream(EngineChoice.values())
                                .map(EngineChoice::text)
                                .collect(Collectors.joining(", "))
                        + ", not another word"));
    }

    /// Where this process is reached by those that reach the store: the address from which it would talk
    /// to it.
    private InetAddress address() {
        if (context.findStore().orElse(null) instanceof StoreAddress.AtServer server) {
            // Connecting a datagram socket chooses an address and sends nothing.
            try (DatagramSocket socket = new DatagramSocket()) {
                socket.connect(new InetSocketAddress(server.host(), server.port()));
                return socket.getLocalAddress();
            } catch (IOException | IllegalArgumentException e) {
                throw new LaunchException(
                        "no address of this host reaches the store at " + server.host() + ": " + e.getMessage());
            }
        }
        return InetAddress.getLoopbackAddress();
    }
}
