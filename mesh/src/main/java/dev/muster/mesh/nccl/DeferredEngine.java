// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.nccl;

import dev.muster.mesh.collective.Engine;
import dev.muster.mesh.collective.GroupCall;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.GroupError;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.collective.Operation;
import dev.muster.mesh.collective.Transfer;
import dev.muster.mesh.cuda.GpuDevice;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The part of a group that works on memory of devices, where it was not requested: opened with the first call of all
/// members that has such memory, so that meshes without devices neither look for libraries nor wait for them.
public final class DeferredEngine implements Engine {
    private final GroupIdentity group;
    private final DeviceOpener opener;
    private volatile @Nullable Engine open;
    private volatile @Nullable GroupException ended;

    /// An engine that is yet to be opened.
    public DeferredEngine(GroupIdentity group, DeviceOpener opener) {
        this.group = group;
        this.opener = opener;
    }

    @Override
    public String name() {
        Engine known = open;
        return known == null ? "none yet" : known.name();
    }

    @Override
    public void requirePossible(GroupCall call) {
        Engine known = open;
        if (known != null) {
            known.requirePossible(call);
            return;
        }
        NcclKind kind = kind(call);
        if (!isOfAllMembers(call)) {
            throw new IllegalArgumentException("group " + group.name()
                    + " has had no call of all its members with memory of devices yet, and a message between some cannot"
                    + " open their way; call a collective first, or choose the backend " + kind.text());
        }
        opener.requirePossible(group, kind, call);
    }

    /// Messages are calls of those whom they concern alone.
    private boolean isOfAllMembers(GroupCall call) {
        if (!call.operation().equals(Operation.EXCHANGE) || group.size() == 1) {
            return true;
        }
        for (int i = 0; i < call.transferCount(); i++) {
            if (group.size() == 2 && call.transfer(i).peer() != group.rank()) {
                return true;
            }
        }
        return false;
    }

    private NcclKind kind(GroupCall call) {
        return device(call)
                .map(device -> NcclKind.of(device.runtime()))
                .orElseThrow(() -> new IllegalArgumentException(
                        "group " + group.name() + ": a buffer of the call lay on a device and was closed"));
    }

    private static Optional<GpuDevice> device(GroupCall call) {
        if (!call.operation().equals(Operation.EXCHANGE)) {
            return find(call.input()).or(() -> find(call.output()));
        }
        for (int i = 0; i < call.transferCount(); i++) {
            Transfer transfer = call.transfer(i);
            Optional<GpuDevice> device = find(transfer.segment());
            if (device.isPresent()) {
                return device;
            }
        }
        return Optional.empty();
    }

    private static Optional<GpuDevice> find(MemorySegment segment) {
        return GpuDevice.find(segment);
    }

    @Override
    public void execute(GroupCall call) {
        Engine known = open;
        (known != null ? known : open(call)).execute(call);
    }

    private Engine open(GroupCall call) {
        requireWanted();
        Engine engine = opener.open(group, kind(call), opener.limit(call), this::requireWanted);
        GroupException why;
        synchronized (this) {
            why = ended;
            if (why == null) {
                open = engine;
                return engine;
            }
        }
        engine.abort(why);
        engine.close();
        throw why;
    }

    private void requireWanted() {
        GroupException why = ended;
        if (why != null) {
            throw why;
        }
    }

    private synchronized @Nullable Engine end(GroupException reason) {
        if (ended == null) {
            ended = reason;
        }
        return open;
    }

    @Override
    public void abort(GroupException reason) {
        Engine known = end(reason);
        if (known != null) {
            known.abort(reason);
        }
    }

    @Override
    public void close() {
        Engine known = end(new GroupException(GroupError.CLOSED, "group " + group.name() + " is closed"));
        if (known != null) {
            known.close();
        }
    }
}
