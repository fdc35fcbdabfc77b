// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.mpi;

import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.GroupError;
import dev.muster.mesh.mpi.MpiAbi.MpiConstants;
import dev.muster.mesh.mpi.MpiFunction.MpiException;
import dev.muster.mesh.store.Secret;
import dev.muster.mesh.store.Store;
import dev.muster.mesh.store.StoreException;
import dev.muster.mesh.store.TcpStoreConfig;
import dev.muster.mesh.store.TcpStoreServer;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.time.Duration;
import java.util.Collections;

/// The store for processes that MPI started without one: the first serves it and tells
/// the others by MPI where it is and what it asks for.
///
/// @param store this process's way into it; closing it on the first waits for the others to leave
/// @param secret new at every start
/// @param address address of the store
public record MpiRendezvous(Store store, Secret secret, InetSocketAddress address) {
    private static final int NOTE_BYTES = 512;

    /// Meets the other processes. All of them call this once.
    ///
    /// @param limit limit of calls of the store, and of the first rank's wait for the others in the
    ///     end
    /// @param tls rule for encryption: `auto`, `always` or `never`
    /// @throws GroupException `unavailable` if the first cannot serve a store, or this one cannot reach
    ///     it
    public static MpiRendezvous meet(MpiProcess process, Duration limit, String tls) {
        try {
            return process.rank() == 0 ? serve(process, limit, tls) : join(process, limit, tls);
        } catch (StoreException | MpiException e) {
            throw new GroupException(
                    GroupError.UNAVAILABLE, "the processes of MPI cannot meet, because " + e.getMessage(), e);
        }
    }

    private static MpiRendezvous serve(MpiProcess process, Duration limit, String tls) {
        boolean oneHost = isOneHost(process);
        String text = Secret.randomText();
        Secret secret = Secret.of(text);
        TcpStoreConfig config = TcpStoreConfig.of(secret).withCallLimit(limit).withTls(tls);
        try {
            TcpStoreServer server = TcpStoreServer.start(
                    new InetSocketAddress(oneHost ? InetAddress.getLoopbackAddress() : ownAddress(), 0), config);
            InetSocketAddress address = server.address();
            tell(process, address.getAddress().getHostAddress() + " " + address.getPort() + " " + text);
            return new MpiRendezvous(server.openToTheEnd(limit), secret, address);
        } catch (StoreException e) {
            tell(process, "");
            throw e;
        }
    }

    private static MpiRendezvous join(MpiProcess process, Duration limit, String tls) {
        boolean _ = isOneHost(process);
        String[] words = tell(process, "").split(" ");
        if (words.length != 3) {
            throw new GroupException(
                    GroupError.UNAVAILABLE, "the processes of MPI cannot meet, because rank 0 cannot serve a store");
        }
        Secret secret = Secret.of(words[2]);
        InetSocketAddress address = new InetSocketAddress(words[0], Integer.parseInt(words[1]));
        TcpStoreConfig config = TcpStoreConfig.of(secret).withCallLimit(limit).withTls(tls);
        Store store = Store.connect(address, config, limit);
        return new MpiRendezvous(store, secret, address);
    }

    /// Gives all processes what the first says.
    private static String tell(MpiProcess process, String note) {
        MpiLibrary library = process.library();
        MpiConstants constants = library.constants();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(NOTE_BYTES);
            memory.setString(0, note);
            library.function("MPI_Bcast").call(memory.address(), NOTE_BYTES, constants.bytes(), 0, constants.world());
            return memory.getString(0);
        }
    }

    /// Reports whether all processes can share memory. All of them ask.
    private static boolean isOneHost(MpiProcess process) {
        MpiLibrary library = process.library();
        MpiConstants constants = library.constants();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment made = arena.allocate(ValueLayout.JAVA_LONG);
            library.function("MPI_Comm_split_type")
                    .call(
                            constants.world(),
                            constants.numbers().sharedMemory(),
                            0,
                            constants.infoNull(),
                            made.address());
            int here = library.number(library.function("MPI_Comm_size"), library.handle(made, 0));
            library.function("MPI_Comm_free").call(made.address());
            return here == process.size();
        }
    }

    /// An address of this host that others may reach.
    private static InetAddress ownAddress() {
        try {
            for (NetworkInterface network : Collections.list(NetworkInterface.getNetworkInterfaces())) {
                if (!network.isLoopback() && network.isUp() && !network.isVirtual()) {
                    for (InetAddress address : Collections.list(network.getInetAddresses())) {
                        if (!address.isLinkLocalAddress()) {
                            return address;
                        }
                    }
                }
            }
            return InetAddress.getLocalHost();
        } catch (IOException e) {
            throw new GroupException(
                    GroupError.UNAVAILABLE,
                    "the processes of MPI cannot meet, because rank 0 finds no address of its host: " + e.getMessage()
                            + "; set MUSTER_STORE and MUSTER_SECRET",
                    e);
        }
    }

    @Override
    public String toString() {
        return "MpiRendezvous[" + address + "]";
    }
}
