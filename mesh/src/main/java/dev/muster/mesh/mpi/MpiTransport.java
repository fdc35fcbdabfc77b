// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.mpi;

import dev.muster.mesh.collective.GroupCall;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.GroupError;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.engine.RankWait;
import dev.muster.mesh.message.MessageTransport;
import dev.muster.mesh.mpi.MpiAbi.MpiConstants;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Moves messages by requests of MPI that it looks after until all have ended: so a call can be given
/// up, which a call that blocks within the library cannot. Confined to one thread, except for
/// [#stop(GroupException)].
final class MpiTransport implements MessageTransport {
    /// MPI counts in 32 bits; longer messages go in parts.
    static final int PART_BYTES = 1 << 30;

    /// Messages up to here go at once through the shared memory of Open MPI, by its usual limit of 4 KiB
    /// with heads; longer ones wait for an answer first. Just beyond it two short messages are faster
    /// than a long one (1.7 against 2.4 microseconds for 4 KiB, Open MPI 4.1.4).
    private static final int EAGER_BYTES = 3_968;

    private static final int EAGER_LONGEST = 6_144;

    /// The number of times that the library is asked before others may run. A look takes about a tenth of a
    /// microsecond, in which the library does what there is to do; MPI's own collectives ask without
    /// end.
    private static final int LOOKS = 2_000;

    private static final int LOOKS_WHEN_CROWDED = 2;
    /// Long messages advance only while the library is asked, so naps come late.
    private static final int YIELDS = 100_000;

    private static final long SUSPICION_PERIOD_NANOS = 100_000_000;
    private static final int NONE = -1;
    /// Every library takes tags up to here.
    private static final int TAG_MASK = 0x7fff;

    private final GroupIdentity group;
    private final MpiLibrary library;
    private final long communicator;
    private final int partBytes;
    private final MpiFunction isend;
    private final MpiFunction irecv;
    private final MpiFunction test;
    private final int looks;
    private final RankWait patience = new RankWait(0, YIELDS);
    /// Not freed by hand: the library may write there as long as a request lives.
    private final Arena arena = Arena.ofAuto();

    private final MemorySegment flag = arena.allocate(ValueLayout.JAVA_INT);
    private final long type;
    private final long statusIgnore;
    private final int handleBytes;
    private MemorySegment requests;
    private MemorySegment[] segments = {};
    private int[] peers = {};
    private int[] tags = {};
    private boolean[] sends = {};
    private int count;
    /// The number of requests that have ended, from the first on.
    private int ended;

    private int callTag;
    private int suspect = NONE;
    private long nextSuspicion;
    private volatile @Nullable GroupException stopped;

    /// @param partBytes part of a message that goes at once
    MpiTransport(GroupIdentity group, MpiLibrary library, long communicator, int processors, int partBytes) {
        this.group = group;
        this.library = library;
        this.communicator = communicator;
        this.partBytes = partBytes;
        this.isend = library.function("MPI_Isend");
        this.irecv = library.function("MPI_Irecv");
        this.test = library.function("MPI_Test");
        this.type = library.constants().bytes();
        this.statusIgnore = library.constants().numbers().statusIgnore();
        this.handleBytes = library.flavour().handleBytes();
        this.requests = arena.allocate(0);
        this.looks = group.size() <= processors ? LOOKS : LOOKS_WHEN_CROWDED;
        grow(2 * group.size());
    }

    private void grow(int capacity) {
        MemorySegment more = arena.allocate((long) capacity * handleBytes, Long.BYTES);
        MemorySegment.copy(requests, 0, more, 0, (long) count * handleBytes);
        requests = more;
        segments = Arrays.copyOf(segments, capacity);
        peers = Arrays.copyOf(peers, capacity);
        tags = Arrays.copyOf(tags, capacity);
        sends = Arrays.copyOf(sends, capacity);
    }

    @Override
    public void begin(GroupCall call) {
        throwIfStopped();
        long mixed = call.what() * 0x9E37_79B9_7F4A_7C15L + call.howMuch();
        callTag = (int) (mixed ^ mixed >>> 32);
    }

    /// Messages of different calls, and of different lengths, have different tags as a rule, so that
    /// those of members that call different things do not meet.
    private int tag(long bytes) {
        long mixed = (callTag + bytes) * 0x9E37_79B9_7F4A_7C15L;
        return (int) (mixed >>> 40) & TAG_MASK;
    }

    @Override
    public void send(int peer, MemorySegment segment, long offset, long bytes) {
        post(true, peer, segment, offset, bytes);
    }

    @Override
    public void receive(int peer, MemorySegment segment, long offset, long bytes) {
        post(false, peer, segment, offset, bytes);
    }

    private void post(boolean sending, int peer, MemorySegment segment, long offset, long bytes) {
        if (!segment.scope().isAlive()) {
            throw new IllegalStateException("a buffer was freed before the call");
        }
        int tag = tag(bytes);
        long address = segment.address() + offset;
        long most = bytes > EAGER_BYTES && bytes <= EAGER_LONGEST ? Math.min(EAGER_BYTES, partBytes) : partBytes;
        long left = bytes;
        do {
            long part = Math.min(left, most);
            if (count == segments.length) {
                grow(2 * count);
            }
            long request = requests.address() + (long) count * handleBytes;
            MpiFunction function = sending ? isend : irecv;
            function.call(address, part, type, peer, tag, communicator, request);
            segments[count] = segment;
            peers[count] = peer;
            tags[count] = tag;
            sends[count] = sending;
            count++;
            address += part;
            left -= part;
        } while (left > 0);
    }

    @Override
    public void move(GroupCall call) {
        if (count == 0) {
            return;
        }
        if (!endSoon()) {
            patience.begin();
            suspect = NONE;
            nextSuspicion = Long.MAX_VALUE;
            do {
                if (patience.pass()) {
                    examine(call);
                }
            } while (!haveEnded());
        }
        for (int i = 0; i < count; i++) {
            segments[i] = MemorySegment.NULL;
        }
        count = 0;
        ended = 0;
    }

    private boolean endSoon() {
        for (int look = 0; look < looks; look++) {
            if (haveEnded()) {
                return true;
            }
        }
        return false;
    }

    /// Asks for one request after the other, so that what has ended is not asked for again. For 8 bytes that takes
    /// 1.02 against 1.04 microseconds, and 0.94 against 1.09 on processors of their own (Open MPI 4.1.6).
    private boolean haveEnded() {
        while (ended < count) {
            long request = requests.address() + (long) ended * handleBytes;
            test.call(request, flag.address(), statusIgnore);
            if (flag.get(ValueLayout.JAVA_INT, 0) == 0) {
                return false;
            }
            ended++;
        }
        return true;
    }

    private void examine(GroupCall call) {
        throwIfStopped();
        long now = System.nanoTime();
        if (call.isOverdue(now)) {
            throw GroupException.overdue(group.where(call), call.limit(), missing());
        }
        if (nextSuspicion == Long.MAX_VALUE) {
            nextSuspicion = now + SUSPICION_PERIOD_NANOS;
        } else if (now - nextSuspicion >= 0) {
            nextSuspicion = now + SUSPICION_PERIOD_NANOS;
            suspect(call);
        }
    }

    /// Messages between two members arrive in order. If the first that lies there is not the one that is
    /// awaited, its sender calls something else. Asked twice, since the awaited one may be about to end.
    private void suspect(GroupCall call) {
        int found = NONE;
        for (int i = ended; i < count && found == NONE; i++) {
            if (!sends[i] && isPending(i) && hasOtherMessage(i)) {
                found = peers[i];
            }
        }
        if (found != NONE && found == suspect) {
            throw new GroupException(
                    GroupError.DISAGREEMENT,
                    group.where(call) + ": rank " + group.worldRank(group.rank()) + " calls " + call.text() + ", rank "
                            + group.worldRank(found) + " calls something else");
        }
        suspect = found;
    }

    private boolean isPending(int index) {
        library.function("MPI_Request_get_status").call(handle(index), flag.address(), statusIgnore);
        return flag.get(ValueLayout.JAVA_INT, 0) == 0;
    }

    private long handle(int index) {
        return library.handle(requests, (long) index * handleBytes);
    }

    private boolean hasOtherMessage(int index) {
        MpiConstants constants = library.constants();
        try (Arena own = Arena.ofConfined()) {
            MemorySegment status = own.allocate(constants.numbers().status().bytes(), Long.BYTES);
            library.function("MPI_Iprobe")
                    .call(peers[index], constants.numbers().anyTag(), communicator, flag.address(), status.address());
            return flag.get(ValueLayout.JAVA_INT, 0) != 0
                    && status.get(
                                    ValueLayout.JAVA_INT,
                                    constants.numbers().status().tagOffset())
                            != tags[index];
        }
    }

    private List<Integer> missing() {
        List<Integer> missing = new ArrayList<>();
        for (int i = ended; i < count; i++) {
            if (isPending(i)) {
                missing.add(group.worldRank(peers[i]));
            }
        }
        return missing;
    }

    private void throwIfStopped() {
        GroupException reason = stopped;
        if (reason != null) {
            throw reason;
        }
    }

    /// Reports whether requests are under way that are not looked after any more.
    boolean hasLeftovers() {
        return count > 0;
    }

    /// Calls off what is still to be received, after a failure, so that nothing is written to buffers
    /// whose owner believes them free. What is being sent cannot be called off.
    void callOff() {
        MpiFunction cancel = library.function("MPI_Cancel");
        for (int i = ended; i < count; i++) {
            long request = requests.address() + (long) i * handleBytes;
            if (!sends[i] && isPending(i) && cancel.succeeds(request, 0, 0)) {
                boolean _ = test.succeeds(request, flag.address(), statusIgnore);
            }
        }
    }

    /// Ends what is under way, with that reason.
    void stop(GroupException reason) {
        if (stopped == null) {
            stopped = reason;
        }
    }
}
