package dev.muster.mesh.launch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/// The variables by which a launcher tells processes of one host their place: torchrun's, so that programs written for
/// it run unchanged, and our own. What [LaunchContext] reads. Immutable.
///
/// @param worldSize how many processes there are
/// @param masterPort the port that rank 0 may serve on, for programs that meet without our store
/// @param store where the store is served
/// @param secretText what the store asks for
/// @param limit how long the processes wait for each other
/// @param backend how they shall talk to each other, such as `auto`
/// @since 0.1
public record LaunchEnvironment(
        int worldSize, int masterPort, InetSocketAddress store, String secretText, Duration limit, String backend) {
    /// The variables of one rank.
    public Map<String, String> of(int rank) {
        String host = store.getAddress().getHostAddress();
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("RANK", Integer.toString(rank));
        variables.put("WORLD_SIZE", Integer.toString(worldSize));
        variables.put("LOCAL_RANK", Integer.toString(rank));
        variables.put("LOCAL_WORLD_SIZE", Integer.toString(worldSize));
        variables.put("GROUP_RANK", "0");
        variables.put("MASTER_ADDR", host);
        variables.put("MASTER_PORT", Integer.toString(masterPort));
        variables.putAll(ofAll());
        return variables;
    }

    /// What all ranks are told alike, for launchers that tell each its place themselves.
    public Map<String, String> ofAll() {
        String host = store.getAddress().getHostAddress();
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("MUSTER_STORE", (host.contains(":") ? "[" + host + "]" : host) + ":" + store.getPort());
        variables.put("MUSTER_SECRET", secretText);
        variables.put("MUSTER_LIMIT", limit.toMillis() + "ms");
        variables.put("MUSTER_BACKEND", backend);
        return variables;
    }

    /// A port of the loopback interface that is free now.
    public static int freeLoopbackPort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException("no port of the loopback interface is free", e);
        }
    }

    @Override
    public String toString() {
        return "LaunchEnvironment[" + worldSize + " processes, store at " + store + "]";
    }
}
