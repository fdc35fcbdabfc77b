// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.shm;

import dev.muster.mesh.collective.Engine;
import dev.muster.mesh.collective.EngineProvider;
import dev.muster.mesh.collective.EngineProvider.EngineContext;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.GroupError;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.shm.RoundWait.Lifeline;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/// The backend `local`: memory shared by threads of one process. Each group's memory is made by the first member
/// that opens it and freed by the last that closes it. Safe for use by several threads.
public final class LocalRegions implements EngineProvider {
    /// Its name.
    public static final String NAME = "local";

    /// Threads of one process share caches; larger slots would only spread over more of them.
    static final int SLOT_BYTES = 256 << 10;

    private static final Lifeline UNCUT = new Lifeline() {
        @Override
        public boolean isCut(int rank) {
            return false;
        }

        @Override
        public void close() {}
    };

    private final Map<String, Shared> regions = new HashMap<>();
    private final int processors;
    private final int slotBytes;

    /// No groups yet.
    ///
    /// @param processors number of processors that the threads share
    public LocalRegions(int processors) {
        this(processors, SLOT_BYTES);
    }

    LocalRegions(int processors, int slotBytes) {
        this.processors = processors;
        this.slotBytes = slotBytes;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Engine open(GroupIdentity group, EngineContext context) {
        if (!context.isOneProcess(group)) {
            throw new GroupException(
                    GroupError.UNAVAILABLE,
                    "group " + group.name() + ": the backend local joins threads of one process; join with a LocalHub");
        }
        context.exchange(group, NAME, new byte[0]);
        return open(group);
    }

    /// The engine of a member. Each member opens a group once.
    public Engine open(GroupIdentity group) {
        String key = group.incarnation() + "/" + group.key();
        Shared shared = enter(key, group);
        return new SharedMemoryEngine(NAME, group, shared.region, UNCUT, processors, () -> leave(key, shared));
    }

    private synchronized Shared enter(String key, GroupIdentity group) {
        Shared shared = regions.computeIfAbsent(key, absent -> Shared.create(group, slotBytes));
        shared.opened++;
        shared.members++;
        if (shared.opened == group.size()) {
            regions.remove(key);
        }
        return shared;
    }

    private synchronized void leave(String key, Shared shared) {
        shared.members--;
        if (shared.members == 0) {
            regions.remove(key, shared);
            shared.arena.close();
        }
    }

    private static final class Shared {
        private final Arena arena;
        private final SharedRegion region;
        private int opened;
        private int members;

        private Shared(Arena arena, SharedRegion region) {
            this.arena = arena;
            this.region = region;
        }

        private static Shared create(GroupIdentity group, int slotBytes) {
            RegionLayout layout = RegionLayout.of(group.size(), slotBytes);
            Arena arena = Arena.ofShared();
            MemorySegment memory = arena.allocate(layout.bytes(), 4096);
            SharedRegion.format(memory, layout, group.incarnation());
            return new Shared(arena, new SharedRegion(layout, memory));
        }
    }
}
