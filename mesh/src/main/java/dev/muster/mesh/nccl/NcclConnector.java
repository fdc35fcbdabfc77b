// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.nccl;

import dev.muster.mesh.collective.Engine;
import dev.muster.mesh.collective.GroupCall;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.GroupError;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.cuda.GpuDevice;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Opens the communicators of one rank on its device. The library, the device and its thread are opened
/// when first needed; the thread ends with the last engine. For one thread at a time; engines are closed
/// by any.
public final class NcclConnector {
    private final String name;
    private final Supplier<NcclLibrary> findLibrary;
    private final Supplier<GpuDevice> findDevice;
    private final Map<String, NcclEngine> open = new HashMap<>();
    private @Nullable NcclLibrary library;
    private @Nullable GpuDevice device;
    private @Nullable DeviceThread lane;
    /// A part of a communicator that its group has yet to take.
    private @Nullable NcclCommunicator part;

    NcclConnector(String name, Supplier<NcclLibrary> findLibrary, Supplier<GpuDevice> findDevice) {
        this.name = name;
        this.findLibrary = findLibrary;
        this.findDevice = findDevice;
    }

    /// The communicators of a rank.
    ///
    /// @param localRank its rank within its host, which is the number of its device. Where each process
    ///     is shown one device alone, it is that
    public static NcclConnector of(NcclKind kind, int localRank) {
        return new NcclConnector(kind.text(), kind::load, () -> kind.runtime().deviceOfRank(localRank));
    }

    /// Opens what it needs.
    ///
    /// @return the version of the library
    /// @throws GroupException if the library or the device cannot be used here
    public synchronized String prepare() {
        device();
        return name + " " + library().version();
    }

    /// Returns the id that all members of a new communicator need; one member makes it. A part of another needs none.
    public synchronized byte[] makeId() {
        if (part != null) {
            return new byte[0];
        }
        device().bind();
        return library().makeId();
    }

    private NcclLibrary library() {
        NcclLibrary known = library != null ? library : findLibrary.get();
        library = known;
        return known;
    }

    /// The device of this rank.
    public synchronized GpuDevice device() {
        GpuDevice known = device != null ? device : findDevice.get();
        device = known;
        return known;
    }

    private DeviceThread lane() {
        DeviceThread known = lane != null ? lane : new DeviceThread(device());
        lane = known;
        return known;
    }

    /// The stream that the operations of all groups of this rank go to, for who wants to put something
    /// before them.
    public synchronized long stream() {
        return lane().stream().handle();
    }

    /// Joins a communicator; returns when all members have.
    ///
    /// @param id the same for all members, made by one of them
    /// @throws GroupException if a member is missing when the limit has passed
    public Engine connect(GroupIdentity group, byte[] id, Duration limit) {
        return connect(group, id, limit, () -> {});
    }

    /// As the other one, for members that may lose interest while they wait.
    ///
    /// @param requireWanted is asked again and again; its exception ends the wait
    public synchronized Engine connect(GroupIdentity group, byte[] id, Duration limit, Runnable requireWanted) {
        NcclCommunicator taken = part;
        part = null;
        NcclLibrary nccl = library();
        try {
            NcclCommunicator communicator = taken != null ? taken : join(nccl, group, id, limit, requireWanted);
            NcclEngine engine = new NcclEngine(name, group, nccl, lane(), communicator, () -> closed(group.key()));
            open.put(group.key(), engine);
            return engine;
        } catch (GroupException e) {
            closeIdleLane();
            throw new GroupException(e.code(), "group " + group.name() + ": " + name + ": " + e.getMessage(), e);
        }
    }

    private NcclCommunicator join(
            NcclLibrary nccl, GroupIdentity group, byte[] id, Duration limit, Runnable requireWanted) {
        if (id.length != NcclLibrary.ID_BYTES) {
            throw new IllegalArgumentException("an id has 128 bytes: " + id.length);
        }
        long deadline = System.nanoTime() + limit.toNanos();
        GpuDevice own = device();
        AtomicReference<@Nullable NcclCommunicator> joined = new AtomicReference<>();
        Runnable errand = () -> {
            NcclCommunicator begun = new NcclCommunicator(nccl, own, nccl.begin(id, group.size(), group.rank()));
            joined.set(begun);
            if (!begun.settle(deadline, requireWanted)) {
                throw GroupException.overdue("joining the communicator", limit, List.of());
            }
        };
        try {
            lane().run(errand, deadline);
            return Objects.requireNonNull(joined.get());
        } catch (GroupException e) {
            NcclCommunicator begun = joined.get();
            if (begun != null) {
                begun.stop(e);
            }
            throw e;
        }
    }

    /// Divides the communicator of a group; all its members call this, and those that join a part then
    /// open its group. Without it, or where the library cannot, a group gets a communicator of its own.
    ///
    /// @param colour of those that stay together; negative to join no part
    public synchronized void divide(GroupIdentity parent, int colour, int key, Duration limit) {
        NcclEngine engine = open.get(parent.key());
        if (engine == null || !library().canSplit()) {
            return;
        }
        long deadline = System.nanoTime() + limit.toNanos();
        AtomicReference<@Nullable NcclCommunicator> divided = new AtomicReference<>();
        NcclCommunicator whole = engine.communicator();
        lane().run(() -> divided.set(whole.split(colour, key, deadline)), deadline);
        part = divided.get();
    }

    private synchronized void closed(String key) {
        open.remove(key);
        closeIdleLane();
    }

    private void closeIdleLane() {
        if (open.isEmpty() && lane != null) {
            lane.close();
            lane = null;
        }
    }

    /// Looks whether a call can be carried out by a group that is not open yet.
    ///
    /// @throws IllegalArgumentException if it cannot, with what can
    public void requirePossible(GroupIdentity group, GroupCall call) {
        new DeviceChecks(group, device()).requirePossible(call);
    }

    /// Returns the reason for which it cannot be used here, for people; empty if it can.
    public String obstacle() {
        try {
            prepare();
            return "";
        } catch (GroupException e) {
            if (!e.code().equals(GroupError.UNAVAILABLE)) {
                throw e;
            }
            return String.valueOf(e.getMessage());
        }
    }
}
