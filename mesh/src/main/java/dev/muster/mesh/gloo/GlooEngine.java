// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.gloo;

import dev.muster.mesh.collective.Engine;
import dev.muster.mesh.collective.GroupCall;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.GroupError;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.collective.Operation;
import dev.muster.mesh.gloo.GlooLibrary.GlooFault;
import dev.muster.mesh.message.MessageCollectives;
import dev.muster.mesh.store.Store;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Collectives through Gloo. Calls come from platform threads: they wait in native code, where a virtual thread
/// would keep its carrier from all others.
final class GlooEngine implements Engine {
    private final GroupIdentity group;
    private final NativeGroup connections;
    private final Arena arena = Arena.ofShared();
    private final GlooOperations operations;
    private final GlooTransport mover;
    private final MessageCollectives messages;
    private final EndNotes notes;
    private final CallGuard guard;
    private final AtomicBoolean closed = new AtomicBoolean();
    /// The flag that the guard looks at while a call waits.
    private volatile @Nullable GroupCall current;

    /// @param store for the keys of this group alone
    GlooEngine(GroupIdentity group, NativeGroup connections, Store store, boolean inRankOrder) {
        this.group = group;
        this.connections = connections;
        this.operations = new GlooOperations(group, connections, arena, inRankOrder);
        this.mover = new GlooTransport(connections, arena, group.size());
        this.messages = new MessageCollectives(group, mover, inRankOrder);
        this.notes = new EndNotes(group, store);
        this.guard = new CallGuard(group.name(), this::endOverdue);
    }

    @Override
    public String name() {
        return "gloo";
    }

    @Override
    public void execute(GroupCall call) {
        if (Thread.currentThread().isVirtual()) {
            throw new GroupException(
                    GroupError.UNAVAILABLE,
                    group.where(call) + ": the engine gloo waits in native code; call it from a platform"
                            + " thread, or with start(...)");
        }
        connections.enter();
        boolean expired;
        try {
            current = call;
            guard.begin(call.start(), call.limit().toNanos());
            if (operations.can(call)) {
                operations.execute(call);
            } else {
                messages.execute(call);
            }
        } catch (GlooFault e) {
            throw failed(call, e);
        } finally {
            expired = guard.end();
            connections.leave();
        }
        if (expired) {
            connections.throwIfStopped();
        }
    }

    private GroupException failed(GroupCall call, GlooFault fault) {
        connections.throwIfStopped();
        int[] lost = connections.lost();
        for (int rank : lost) {
            Optional<GroupException> reason = notes.find(rank);
            if (reason.isPresent()) {
                return reason.get();
            }
        }
        // While it was requested, another thread may have stopped the group.
        connections.throwIfStopped();
        if (lost.length == 0) {
            return new GroupException(GroupError.ABORTED, group.where(call) + ": " + fault.getMessage(), fault);
        }
        List<Integer> ranks = Arrays.stream(lost).mapToObj(group::worldRank).toList();
        String names = ranks.stream().map(String::valueOf).collect(Collectors.joining(", "));
        return new GroupException(
                GroupError.PEER_LOST,
                group.where(call) + ": the connection to rank " + names + " is lost: " + fault.getMessage(),
                ranks);
    }

    private void endOverdue(BooleanSupplier expire) {
        GroupCall call = current;
        if (call == null) {
            return;
        }
        if (expire.getAsBoolean()) {
            GroupException reason = GroupException.overdue(
                    group.where(call), call.limit(), members(call).toList());
            notes.leave(reason);
            connections.stop(reason);
        }
    }

    /// The ranks of the world that a call needs: Gloo does not say for whom it waits.
    private Stream<Integer> members(GroupCall call) {
        IntStream members = call.operation().equals(Operation.EXCHANGE)
                ? IntStream.range(0, call.transferCount())
                        .map(index -> call.transfer(index).peer())
                : IntStream.range(0, group.size());
        return members.filter(member -> member != group.rank()).mapToObj(group::worldRank);
    }

    @Override
    public void abort(GroupException reason) {
        connections.stop(reason);
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        connections.stop(new GroupException(GroupError.CLOSED, "group " + group.name() + " is closed"));
        connections.close();
        guard.close();
        operations.close();
        messages.close();
        arena.close();
    }
}
