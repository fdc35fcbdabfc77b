// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.shm;

import dev.muster.core.foreign.NativeFunction;
import dev.muster.core.foreign.NativeLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;

/// The processor that each member runs on, as they tell each other while they wait. A member that waits on the
/// processor of the one that it awaits keeps that one from coming, and systems leave two threads there for long where
/// other programs keep the rest busy (docs/decisions/0013). Confined to one thread.
final class SharedProcessors {
    /// As many processors as Linux can have.
    private static final int MASK_BYTES = 8192 / 8;
    /// Between two moves the system's own wishes get a chance.
    private static final long MOVE_PERIOD_NANOS = 5_000_000;

    private static final int THIS_THREAD = 0;
    private static final Optional<Functions> FUNCTIONS = Functions.find();

    private final SharedRegion region;
    private final int own;
    private final MemorySegment allowed = Arena.ofAuto().allocate(MASK_BYTES, Long.BYTES);
    private final MemorySegment elsewhere = Arena.ofAuto().allocate(MASK_BYTES, Long.BYTES);
    private long nextMove = System.nanoTime();

    SharedProcessors(SharedRegion region, int own) {
        this.region = region;
        this.own = own;
    }

    /// Reports whether a member, when it last waited, ran on the processor that this thread runs on, and this thread
    /// cannot go to another one. False where the system does not tell.
    boolean isSharedWith(int peer, long now) {
        if (FUNCTIONS.isEmpty()) {
            return false;
        }
        Functions system = FUNCTIONS.get();
        int processor = tell(system);
        if (region.processor(peer) != processor) {
            return false;
        }
        if (now - nextMove < 0) {
            return true;
        }
        nextMove = now + MOVE_PERIOD_NANOS;
        return !moveFrom(processor, system);
    }

    private int tell(Functions system) {
        int processor = system.current.call(0);
        region.showProcessor(own, processor);
        return processor;
    }

    /// Moves this thread to another processor, where it need not stay: it is allowed all that it was allowed before.
    private boolean moveFrom(int processor, Functions system) {
        if (system.getAffinity.call(THIS_THREAD, MASK_BYTES, allowed.address(), 0) != 0) {
            return false;
        }
        elsewhere.copyFrom(allowed);
        long word = processor / Long.SIZE;
        long others = elsewhere.getAtIndex(ValueLayout.JAVA_LONG, word) & ~(1L << processor);
        elsewhere.setAtIndex(ValueLayout.JAVA_LONG, word, others);
        if (system.setAffinity.call(THIS_THREAD, MASK_BYTES, elsewhere.address(), 0) != 0) {
            return false; // it is allowed this one alone
        }
        system.setAffinity.call(THIS_THREAD, MASK_BYTES, allowed.address(), 0);
        tell(system);
        return true;
    }

    private record Functions(NativeFunction current, NativeFunction getAffinity, NativeFunction setAffinity) {
        static Optional<Functions> find() {
            NativeLibrary system = NativeLibrary.ofSystem();
            Optional<NativeFunction> current = system.find("sched_getcpu");
            Optional<NativeFunction> get = system.find("sched_getaffinity");
            Optional<NativeFunction> set = system.find("sched_setaffinity");
            if (current.isEmpty() || get.isEmpty() || set.isEmpty()) {
                return Optional.empty();
            }
            try {
                current.get().call(0);
            } catch (IllegalStateException e) {
                return Optional.empty(); // this Java allows no native code, and waiting works without
            }
            return Optional.of(new Functions(current.get(), get.get(), set.get()));
        }
    }
}
