package dev.muster.mesh.liveness;

import dev.muster.mesh.store.Store;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/// Says which members have not beaten for too long, by the store's own clock. Immutable.
public final class Liveness {
    private final Store store;
    private final List<String> members;
    private final Duration span;

    private Liveness(Store store, Collection<String> members, Duration span) {
        this.store = store;
        this.members = List.copyOf(members);
        this.span = span;
    }

    /// Looks after members.
    ///
    /// @param span how long ago the last [Heartbeat] of a member may lie; several of its periods
    public static Liveness of(Store store, Collection<String> members, Duration span) {
        return new Liveness(store, members, span);
    }

    /// The members whose last beat lies further back, and those who never had one, in the order given.
    public List<String> silent() {
        return members.stream().filter(this::isSilent).toList();
    }

    private boolean isSilent(String member) {
        return store.findAge(Heartbeat.key(member))
                .map(age -> age.compareTo(span) > 0)
                .orElse(true);
    }
}
