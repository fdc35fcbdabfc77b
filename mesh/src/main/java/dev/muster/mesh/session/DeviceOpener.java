package dev.muster.mesh.session;

import dev.muster.mesh.collective.Engine;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.collective.MeshError;
import dev.muster.mesh.collective.MeshException;
import dev.muster.mesh.nccl.NcclConnector;
import dev.muster.mesh.nccl.NcclKind;
import dev.muster.mesh.nccl.PlacedEngine;
import dev.muster.mesh.store.Store;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Opens the part of groups that works on memory of devices. Members first tell each other whether they
/// can, so that one without a device does not keep the others waiting; the first also tells the id of
/// the communicator.
final class DeviceOpener {
    private static final byte READY = 1;
    private static final byte NOT_READY = 0;

    private final Store store;
    private final SessionConfig config;
    private final int localRank;
    private final @Nullable NcclConnector connector;

    /// @param store keys of this incarnation
    DeviceOpener(Store store, SessionConfig config, int localRank) {
        this.store = store;
        this.config = config;
        this.localRank = localRank;
        this.connector = switch (config.engine()) {
            case NCCL -> NcclConnector.of(NcclKind.NCCL, localRank);
            case RCCL -> NcclConnector.of(NcclKind.RCCL, localRank);
            case AUTO, LOCAL, SHM, TCP, HIER, HIER_MPI, HIER_GLOO, MPI, GLOO -> null;
        };
    }

    int localRank() {
        return localRank;
    }

    /// An engine of both places, which closes that of the host.
    Engine open(GroupIdentity group, Engine host) {
        if (connector == null) {
            throw new IllegalStateException("the engine " + config.engine().text() + " has no devices");
        }
        List<String> keys = IntStream.range(0, group.size())
                .mapToObj(rank -> "group/" + group.key() + "/device/" + rank)
                .toList();
        store.set(keys.get(group.rank()), answer(connector, group.rank()));
        Map<String, byte[]> answers = GroupOpener.awaitAll(store, group, keys, config.limit());
        List<byte[]> inOrder = keys.stream().map(answers::get).toList();
        for (int rank = 0; rank < inOrder.size(); rank++) {
            byte[] answer = inOrder.get(rank);
            if (answer.length == 0 || answer[0] != READY) {
                throw new MeshException(
                        MeshError.UNAVAILABLE,
                        "group " + group.name() + ": rank " + group.worldRank(rank) + " cannot use "
                                + config.engine().text() + ": " + reason(answer));
            }
        }
        byte[] id = Arrays.copyOfRange(inOrder.getFirst(), 1, inOrder.getFirst().length);
        return new PlacedEngine(host, connector.connect(group, id, config.limit()));
    }

    private static byte[] answer(NcclConnector connector, int rank) {
        String obstacle = connector.obstacle();
        byte[] rest = !obstacle.isEmpty()
                ? obstacle.getBytes(StandardCharsets.UTF_8)
                : rank == 0 ? connector.makeId() : new byte[0];
        byte[] answer = new byte[rest.length + 1];
        answer[0] = obstacle.isEmpty() ? READY : NOT_READY;
        System.arraycopy(rest, 0, answer, 1, rest.length);
        return answer;
    }

    private static String reason(byte[] answer) {
        return answer.length == 0 ? "" : new String(answer, 1, answer.length - 1, StandardCharsets.UTF_8);
    }

    void divide(GroupIdentity parent, int colour, int key) {
        if (connector != null) {
            connector.divide(parent, colour, key, config.limit());
        }
    }
}
