// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.session;

import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.GroupError;
import dev.muster.mesh.engine.FailureNote;
import dev.muster.mesh.store.Store;
import dev.muster.mesh.store.Store.Listener;
import dev.muster.mesh.store.Store.Watch;
import dev.muster.mesh.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/// The first failure of an incarnation, in the store. A rank that fails writes it down unless something stands there
/// already; all members hear of it. Safe for use by several threads.
final class SharedFailure implements AutoCloseable {
    private static final String FIRST = "failure";
    private static final String LOST = "lost/";
    private static final String STUCK = "stuck/";
    private static final String LOST_CONNECTION = "has ended or lost its connection";
    /// The time that a rank that does not know whom to blame waits for others that may: for those whose limit passes at
    /// nearly the same time, and for the store, which sees that a process is gone.
    private static final Duration OTHERS_SPEAK = Duration.ofMillis(200);

    private final Store store;
    private final int rank;
    private final Duration moment;
    private final Watch first;
    private final List<Watch> lost = new ArrayList<>();
    private volatile boolean closed;

    /// @param store keys of this incarnation
    /// @param onFailure is told the first failure of the mesh, on another thread
    SharedFailure(Store store, int rank, Consumer<GroupException> onFailure) {
        this(store, rank, onFailure, OTHERS_SPEAK);
    }

    /// Listens to others that see ranks end: the launcher, before a rank has joined, and the store, while ranks come
    /// together again.
    ///
    /// @param elsewhere keys of those, which name the ranks that were lost
    /// @param ranks the names of ranks there, in the order of their ranks here
    void hear(Store elsewhere, List<Integer> ranks) {
        lost.add(elsewhere.watch(LOST, (key, value) -> {
            int lostRank = ranks.indexOf(Integer.parseInt(key.substring(LOST.length())));
            if (lostRank >= 0) {
                store.set(LOST + lostRank, value);
                reportLost(String.valueOf(lostRank), new String(value, StandardCharsets.UTF_8));
            }
        }));
    }

    /// @param moment longest wait for others that may know whom to blame
    SharedFailure(Store store, int rank, Consumer<GroupException> onFailure, Duration moment) {
        this.store = store;
        this.rank = rank;
        this.moment = moment;
        this.first = store.watch(FIRST, new Listener() {
            @Override
            public void onSet(String key, byte[] value) {
                onFailure.accept(read(value));
            }

            @Override
            public void onEnd(StoreException reason) {
                if (!closed) {
                    onFailure.accept(storeLost(reason));
                }
            }
        });
        lost.add(store.watch(
                LOST,
                (key, value) -> reportLost(key.substring(LOST.length()), new String(value, StandardCharsets.UTF_8))));
        announceLoss(store, rank);
    }

    /// Ranks that lose the store stop, and others may see that first; the store is what all of them have lost.
    private static GroupException storeLost(StoreException reason) {
        return new GroupException(
                GroupError.STORE_LOST, "the store of the mesh is lost: " + reason.getMessage(), reason);
    }

    /// Lets the store say that this process is lost, where it can notice.
    static void announceLoss(Store store, int rank) {
        try {
            store.setOnLoss(LOST + rank, LOST_CONNECTION.getBytes(StandardCharsets.UTF_8));
        } catch (StoreException e) {
            if (!e.code().equals(StoreException.StoreError.UNSUPPORTED)) {
                throw e;
            }
        }
    }

    static String lostKey(int rank) {
        return LOST + rank;
    }

    private void reportLost(String who, String how) {
        int lostRank = Integer.parseInt(who);
        String cause = how.isEmpty() ? LOST_CONNECTION : how;
        report(new GroupException(GroupError.PEER_LOST, "rank " + lostRank + " " + cause, List.of(lostRank)));
    }

    /// Writes a failure down.
    ///
    /// @return the first failure of the mesh: this one, or another that stood there
    GroupException report(GroupException found) {
        try {
            GroupException failure = explained(found);
            byte[] note = (rank + "\n" + FailureNote.write(failure)).getBytes(StandardCharsets.UTF_8);
            if (store.setIfAbsent(FIRST, note)) {
                return failure;
            }
            return find().orElse(failure);
        } catch (StoreException e) {
            return e.code().equals(StoreException.StoreError.CLOSED) ? found : storeLost(e);
        }
    }

    private GroupException explained(GroupException found) {
        boolean namesNobody = found.missingRanks().isEmpty();
        return switch (found.code()) {
            case LIMIT_EXCEEDED -> blame(found);
            case PEER_LOST -> namesNobody ? othersSay().orElse(found) : found;
            case DISAGREEMENT, ABORTED, PROTOCOL, REFUSED, UNAVAILABLE, STORE_LOST, RETIRED, CLOSED -> found;
        };
    }

    /// Returns the failure that others write down within a moment.
    private Optional<GroupException> othersSay() {
        try {
            return Optional.of(read(store.await(FIRST, moment)));
        } catch (StoreException e) {
            if (e.code().equals(StoreException.StoreError.LIMIT_EXCEEDED)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /// A rank that waits in vain may wait for one that itself waits for another. Those that are stuck say for whom; to
    /// blame are those that are waited for and are not stuck themselves.
    private GroupException blame(GroupException overdue) {
        store.set(STUCK + rank, FailureNote.writeRanks(overdue.missingRanks()).getBytes(StandardCharsets.UTF_8));
        Optional<GroupException> said = othersSay();
        if (said.isPresent()) {
            return said.get();
        }
        Set<Integer> awaited = new TreeSet<>();
        Set<Integer> stuck = new TreeSet<>();
        for (String key : store.keys(STUCK)) {
            stuck.add(Integer.valueOf(key.substring(STUCK.length())));
            store.find(key)
                    .ifPresent(
                            value -> awaited.addAll(FailureNote.readRanks(new String(value, StandardCharsets.UTF_8))));
        }
        awaited.removeAll(stuck);
        return awaited.isEmpty() ? overdue : overdue.becauseOf(awaited);
    }

    /// The first failure, if there is one.
    Optional<GroupException> find() {
        return store.find(FIRST).map(SharedFailure::read);
    }

    private static GroupException read(byte[] value) {
        String[] parts = new String(value, StandardCharsets.UTF_8).split("\n", 2);
        int writer = parts[0].matches("[0-9]{1,9}") ? Integer.parseInt(parts[0]) : 0;
        return FailureNote.read(parts.length > 1 ? parts[1] : "", writer);
    }

    @Override
    public void close() {
        closed = true;
        first.close();
        lost.forEach(Watch::close);
    }
}
