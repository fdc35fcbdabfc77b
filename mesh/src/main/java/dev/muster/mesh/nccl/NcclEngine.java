// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.nccl;

import dev.muster.mesh.collective.Engine;
import dev.muster.mesh.collective.GroupCall;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.engine.RankWait;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Carries out operations of memory on a device. An operation has ended when the device is done with it.
///
/// NCCL compares nothing: members that call different things wait for each other until the limit, or get
/// what does not belong together.
final class NcclEngine implements Engine {
    private static final long FINISH_NANOS = Duration.ofSeconds(5).toNanos();
    private static final int SPINS = 200;
    private static final int YIELDS = 1_000;

    private final String name;
    private final GroupIdentity group;
    private final DeviceThread lane;
    private final NcclCommunicator communicator;
    private final NcclLaunch launch;
    private final DeviceChecks checks;
    private final Runnable onClose;
    private final Runnable errand = this::carryOut;
    private final RankWait patience = new RankWait(SPINS, YIELDS);
    private final AtomicBoolean closed = new AtomicBoolean();
    private @Nullable GroupCall current;

    /// @param onClose is told when the engine needs the lane no more
    NcclEngine(
            String name,
            GroupIdentity group,
            NcclLibrary nccl,
            DeviceThread lane,
            NcclCommunicator communicator,
            Runnable onClose) {
        this.name = name;
        this.group = group;
        this.lane = lane;
        this.communicator = communicator;
        this.launch = new NcclLaunch(
                nccl, lane.device(), communicator.handle(), lane.stream().handle(), group);
        this.checks = new DeviceChecks(group, lane.device());
        this.onClose = onClose;
    }

    @Override
    public String name() {
        return name;
    }

    NcclCommunicator communicator() {
        return communicator;
    }

    @Override
    public void requirePossible(GroupCall call) {
        checks.requirePossible(call);
    }

    @Override
    public void execute(GroupCall call) {
        communicator.requireRunning();
        current = call;
        lane.run(errand, deadline(call));
    }

    private static long deadline(GroupCall call) {
        return call.limit().isZero()
                ? Long.MAX_VALUE
                : call.start() + call.limit().toNanos();
    }

    private void carryOut() {
        GroupCall call = current;
        if (call == null) {
            throw new IllegalStateException("no call is under way");
        }
        communicator.enter();
        try {
            launch.launch(call);
        } finally {
            communicator.leave();
        }
        if (!communicator.settle(deadline(call))) {
            throw overdue(call);
        }
        awaitStream(call);
    }

    /// Looks at the device, and now and then at what else may have happened.
    private void awaitStream(GroupCall call) {
        patience.begin();
        while (!lane.stream().isIdle()) {
            if (patience.pass()) {
                communicator.isSettled(); // is an exception if a member is lost, or the group was aborted
                if (call.isOverdue(System.nanoTime())) {
                    throw overdue(call);
                }
            }
        }
    }

    private GroupException overdue(GroupCall call) {
        return GroupException.overdue(
                "group " + group.name() + ": " + call.text() + " #" + call.sequence(), call.limit(), List.of());
    }

    @Override
    public void abort(GroupException reason) {
        communicator.stop(reason);
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        try {
            long deadline = System.nanoTime() + FINISH_NANOS;
            lane.run(() -> communicator.finish(deadline), deadline);
        } catch (GroupException e) {
            communicator.stop(e); // does nothing where it was stopped before
        }
        // Memory that a caught operation may still write to is not given back.
        if (communicator.awaitAborted()) {
            launch.close();
        }
        onClose.run();
    }
}
