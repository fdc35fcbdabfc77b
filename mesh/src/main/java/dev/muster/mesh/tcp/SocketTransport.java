// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.tcp;

import dev.muster.mesh.collective.GroupCall;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.GroupError;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.collective.Transfer;
import dev.muster.mesh.engine.RankWait;
import dev.muster.mesh.message.MessageTransport;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Moves messages over connections to other members. Confined to one thread, except for
/// [#stop(GroupException)].
final class SocketTransport implements MessageTransport {
    /// The number of times that sockets are asked before others may run: an empty look at a socket takes about a
    /// microsecond.
    private static final int SPINS = 20;

    private static final int SPINS_WHEN_CROWDED = 2;
    private static final int YIELDS = 2_000;
    /// Used where members share processors: one that asks empty sockets takes time from one that would fill them.
    private static final int YIELDS_WHEN_CROWDED = 200;

    private final GroupIdentity group;
    private final PeerConnections connections;
    private final RankWait patience;
    private Transfer[] transfers = {};
    private int count;
    private long what;
    private long howMuch;
    private volatile @Nullable GroupException stopped;

    SocketTransport(GroupIdentity group, PeerConnections connections, int processors) {
        this.group = group;
        this.connections = connections;
        this.patience = group.size() <= processors
                ? new RankWait(SPINS, YIELDS)
                : new RankWait(SPINS_WHEN_CROWDED, YIELDS_WHEN_CROWDED);
    }

    @Override
    public void begin(GroupCall call) {
        throwIfStopped();
        what = call.what();
        howMuch = call.howMuch();
        count = 0;
    }

    @Override
    public void send(int peer, MemorySegment segment, long offset, long bytes) {
        next().toSend(peer, segment, offset, bytes);
    }

    @Override
    public void receive(int peer, MemorySegment segment, long offset, long bytes) {
        next().toReceive(peer, segment, offset, bytes);
    }

    private Transfer next() {
        if (count == transfers.length) {
            Transfer[] more = java.util.Arrays.copyOf(transfers, Math.max(8, 2 * count));
            for (int i = count; i < more.length; i++) {
                more[i] = new Transfer();
            }
            transfers = more;
        }
        return transfers[count++];
    }

    @Override
    public void move(GroupCall call) {
        patience.begin();
        while (true) {
            boolean moved = false;
            boolean pending = false;
            for (int index = 0; index < count; index++) {
                Transfer transfer = transfers[index];
                if (isEnded(call, transfer) || isBehindAnother(index)) {
                    continue;
                }
                moved |= advance(call, transfer);
                pending |= !isEnded(call, transfer);
            }
            if (!pending && haveEnded(call)) {
                count = 0;
                return;
            }
            if (moved) {
                patience.begin();
            } else if (patience.pass()) {
                examine(call);
            }
        }
    }

    private boolean haveEnded(GroupCall call) {
        for (int index = 0; index < count; index++) {
            if (!isEnded(call, transfers[index])) {
                return false;
            }
        }
        return true;
    }

    private boolean isEnded(GroupCall call, Transfer transfer) {
        if (!transfer.isDone()) {
            return false;
        }
        if (!transfer.sends()) {
            return true;
        }
        try {
            return connections.require(transfer.peer()).isFlushed();
        } catch (IOException e) {
            throw lost(call, transfer.peer(), e);
        }
    }

    private boolean isBehindAnother(int index) {
        for (int earlier = 0; earlier < index; earlier++) {
            Transfer other = transfers[earlier];
            if (!other.isDone()
                    && other.sends() == transfers[index].sends()
                    && other.peer() == transfers[index].peer()) {
                return true;
            }
        }
        return false;
    }

    private boolean advance(GroupCall call, Transfer transfer) {
        try {
            Connection connection = connections.find(transfer.peer());
            if (connection == null) {
                return false;
            }
            return transfer.sends()
                    ? connection.send(transfer, what, howMuch)
                    : connection.receive(call, transfer, what, howMuch);
        } catch (IOException e) {
            throw lost(call, transfer.peer(), e);
        }
    }

    private void examine(GroupCall call) {
        throwIfStopped();
        if (call.isOverdue(System.nanoTime())) {
            throw overdue(call);
        }
    }

    private void throwIfStopped() {
        GroupException reason = stopped;
        if (reason != null) {
            throw reason;
        }
    }

    private GroupException overdue(GroupCall call) {
        List<Integer> missing = new ArrayList<>();
        for (int index = 0; index < count; index++) {
            if (!isEnded(call, transfers[index])) {
                missing.add(group.worldRank(transfers[index].peer()));
            }
        }
        return GroupException.overdue(group.where(call), call.limit(), missing);
    }

    private GroupException lost(GroupCall call, int peer, IOException e) {
        throwIfStopped();
        int rank = group.worldRank(peer);
        return new GroupException(
                GroupError.PEER_LOST,
                group.where(call) + ": the connection to rank " + rank + " is lost: " + e.getMessage(),
                List.of(rank));
    }

    /// Ends what is under way, with that reason.
    void stop(GroupException reason) {
        if (stopped == null) {
            stopped = reason;
        }
        close();
    }

    /// Closes all connections: others see that this member is gone.
    void close() {
        connections.close();
    }
}
