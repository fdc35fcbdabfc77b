// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.nccl;

import dev.muster.mesh.collective.Engine;
import dev.muster.mesh.collective.EngineProvider.EngineContext;
import dev.muster.mesh.collective.GroupCall;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.GroupError;
import dev.muster.mesh.collective.GroupIdentity;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// Opens the part of groups that works on memory of devices. Members first tell each other whether they
/// can, so that one without a device does not keep the others waiting; the first also tells the id of
/// the communicator. For any thread.
public final class DeviceOpener {
    private static final byte READY = 1;
    private static final byte NOT_READY = 0;

    private final EngineContext context;
    private final Map<NcclKind, NcclConnector> connectors = new EnumMap<>(NcclKind.class);

    /// Opens engines of one session.
    public DeviceOpener(EngineContext context) {
        this.context = context;
    }

    /// Returns the limit of opening with a call.
    Duration limit(GroupCall call) {
        return call.limit().isZero() ? context.limit() : call.limit();
    }

    private NcclConnector connector(NcclKind kind) {
        synchronized (connectors) {
            return connectors.computeIfAbsent(kind, wanted -> NcclConnector.of(wanted, context.localRank()));
        }
    }

    /// Looks whether a call could be carried out by a group that is not open yet. What this process lacks is left to
    /// the opening, where the others are told.
    void requirePossible(GroupIdentity group, NcclKind kind, GroupCall call) {
        NcclConnector connector = connector(kind);
        if (connector.obstacle().isEmpty()) {
            connector.requirePossible(group, call);
        }
    }

    /// The engine of a group for memory of devices, when all members have come.
    ///
    /// @param requireWanted is asked while others are awaited; its exception ends that
    Engine open(GroupIdentity group, NcclKind kind, Duration limit, Runnable requireWanted) {
        NcclConnector connector = connector(kind);
        byte[] own = answer(connector, kind, group.rank());
        List<byte[]> inOrder = context.exchange(group, "device", own, limit, requireWanted);
        for (int rank = 0; rank < inOrder.size(); rank++) {
            requireReady(group, kind, rank, inOrder.get(rank));
        }
        byte[] id = Arrays.copyOfRange(inOrder.getFirst(), 2, inOrder.getFirst().length);
        return connector.connect(group, id, limit, requireWanted);
    }

    private static byte[] answer(NcclConnector connector, NcclKind kind, int rank) {
        String obstacle = connector.obstacle();
        byte[] rest = !obstacle.isEmpty()
                ? obstacle.getBytes(StandardCharsets.UTF_8)
                : rank == 0 ? connector.makeId() : new byte[0];
        byte[] answer = new byte[rest.length + 2];
        answer[0] = obstacle.isEmpty() ? READY : NOT_READY;
        answer[1] = letter(kind);
        System.arraycopy(rest, 0, answer, 2, rest.length);
        return answer;
    }

    private static byte letter(NcclKind kind) {
        return switch (kind) {
            case NCCL -> 'n';
            case RCCL -> 'r';
        };
    }

    private static void requireReady(GroupIdentity group, NcclKind kind, int rank, byte[] answer) {
        String who = "group " + group.name() + ": rank " + group.worldRank(rank);
        if (answer.length < 2) {
            throw new GroupException(GroupError.UNAVAILABLE, who + " did not report its device");
        }
        if (answer[1] != letter(kind)) {
            throw new GroupException(
                    GroupError.UNAVAILABLE,
                    who + " has memory of another vendor's device than those of " + kind.text());
        }
        if (answer[0] != READY) {
            String reason = new String(answer, 2, answer.length - 2, StandardCharsets.UTF_8);
            throw new GroupException(GroupError.UNAVAILABLE, who + " cannot use " + kind.text() + ": " + reason);
        }
    }

    /// Divides the communicator of a group, where it has one.
    void divide(NcclKind kind, GroupIdentity parent, int colour, int key) {
        connector(kind).divide(parent, colour, key, context.limit());
    }
}
