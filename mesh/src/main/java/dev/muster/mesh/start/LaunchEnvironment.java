// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.start;

import dev.muster.mesh.launch.LaunchContext;
import dev.muster.mesh.secure.TlsPolicy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The variables by which a launcher tells processes of one host their place: torchrun's, so that programs
/// written for it run unchanged, and our own. [LaunchContext] reads them. Immutable.
///
/// @param worldSize number of processes
/// @param masterPort the port that rank 0 may serve on, for programs that meet without our store
/// @param store address of the store
/// @param secretText secret of the store
/// @param limit longest wait of processes for each other
/// @param backend backend of the processes, such as `auto`
/// @param tls rule for encryption: `auto`, `always` or `never`
public record LaunchEnvironment(
        int worldSize,
        int masterPort,
        InetSocketAddress store,
        String secretText,
        Duration limit,
        String backend,
        String tls) {
    /// The variables of one rank, where all are on this host.
    public Map<String, String> of(int rank) {
        return of(rank, Collections.nCopies(worldSize, store.getAddress().getHostAddress()));
    }

    /// The variables of one rank.
    ///
    /// @param hosts the host of each rank; the first is where programs meet that bring a store of their own
    public Map<String, String> of(int rank, List<String> hosts) {
        String host = hosts.get(rank);
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("RANK", Integer.toString(rank));
        variables.put("WORLD_SIZE", Integer.toString(worldSize));
        variables.put("LOCAL_RANK", Integer.toString(Collections.frequency(hosts.subList(0, rank), host)));
        variables.put("LOCAL_WORLD_SIZE", Integer.toString(Collections.frequency(hosts, host)));
        variables.put(
                "GROUP_RANK",
                Integer.toString(hosts.stream().distinct().toList().indexOf(host)));
        variables.put("MASTER_ADDR", hosts.getFirst().substring(hosts.getFirst().indexOf('@') + 1));
        variables.put("MASTER_PORT", Integer.toString(masterPort));
        variables.putAll(ofAll());
        return variables;
    }

    /// Variables with the same value for all ranks, for launchers that tell each its place themselves.
    public Map<String, String> ofAll() {
        String host = store.getAddress().getHostAddress();
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("MUSTER_STORE", (host.contains(":") ? "[" + host + "]" : host) + ":" + store.getPort());
        variables.put("MUSTER_SECRET", secretText);
        variables.put("MUSTER_LIMIT", limit.toMillis() + "ms");
        variables.put("MUSTER_BACKEND", backend);
        variables.put(TlsPolicy.VARIABLE, tls);
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
