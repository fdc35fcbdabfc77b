package dev.muster.mesh.gloo;

import dev.muster.mesh.collective.Call;
import dev.muster.mesh.collective.FailureNote;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.collective.MeshError;
import dev.muster.mesh.collective.MeshException;
import dev.muster.mesh.collective.Operation;
import dev.muster.mesh.store.Store;
import dev.muster.mesh.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// What members tell each other through the store when a call does not end: Gloo says neither for whom it waits nor
/// what the others call. Safe for use by several threads.
final class CallNotes {
    private static final Duration SHORTEST_GRACE = Duration.ofMillis(100);
    private static final Duration LONGEST_GRACE = Duration.ofSeconds(1);
    private static final int GRACE_SHARE = 4;

    private final GroupIdentity group;
    private final Store store;

    /// @param store for the keys of this group alone
    CallNotes(GroupIdentity group, Store store) {
        this.group = group;
        this.store = store;
    }

    static String where(GroupIdentity group, Call call) {
        return "group " + group.name() + ": " + call.text() + " #" + call.sequence();
    }

    /// Why a call has not ended in time. Writes down that this member is in it, and waits a little for others whose
    /// time passes at nearly the same moment: to blame are those that write nothing, or something else.
    ///
    /// @param waiting the members whose messages have not moved; of exchanges
    MeshException explain(Call call, int[] waiting) {
        if (call.operation().equals(Operation.EXCHANGE)) {
            return overdue(call, waiting);
        }
        try {
            store.set("call/" + group.rank(), bytes(call.what() + " " + call.howMuch()));
            awaitOthers(call.limit());
            List<Integer> silent = new ArrayList<>();
            for (int rank = 0; rank < group.size(); rank++) {
                String[] said = note(rank).split(" ", 2);
                if (said.length < 2) {
                    silent.add(rank);
                } else if (Long.parseLong(said[0]) != call.what() || Long.parseLong(said[1]) != call.howMuch()) {
                    return disagreement(call, rank, Call.text(Long.parseLong(said[0]), Long.parseLong(said[1])));
                }
            }
            return overdue(call, silent.stream().mapToInt(Integer::intValue).toArray());
        } catch (StoreException e) {
            int[] others = IntStream.range(0, group.size())
                    .filter(rank -> rank != group.rank())
                    .toArray();
            return overdue(call, others);
        }
    }

    private void awaitOthers(Duration limit) {
        Duration share = limit.dividedBy(GRACE_SHARE);
        Duration grace = share.compareTo(LONGEST_GRACE) > 0 ? LONGEST_GRACE : share;
        List<String> keys = IntStream.range(0, group.size())
                .mapToObj(rank -> "call/" + rank)
                .toList();
        try {
            store.awaitAll(keys, grace.compareTo(SHORTEST_GRACE) < 0 ? SHORTEST_GRACE : grace);
        } catch (StoreException e) {
            if (e.missing().isEmpty()) {
                throw e;
            }
        }
    }

    private String note(int rank) {
        return store.find("call/" + rank)
                .map(value -> new String(value, StandardCharsets.UTF_8))
                .orElse("");
    }

    private MeshException overdue(Call call, int[] members) {
        List<Integer> missing =
                Arrays.stream(members).mapToObj(group::worldRank).toList();
        return MeshException.overdue(where(group, call), call.limit(), missing);
    }

    private MeshException disagreement(Call call, int other, String text) {
        String mine = "rank " + group.worldRank(group.rank()) + " calls " + call.text();
        String theirs = "rank " + group.worldRank(other) + " calls " + text;
        return new MeshException(
                MeshError.DISAGREEMENT, "group " + group.name() + ": #" + call.sequence() + ": " + mine + ", " + theirs);
    }

    /// Takes back that this member is in a call: it has ended after all.
    void withdraw() {
        try {
            store.delete("call/" + group.rank());
        } catch (StoreException e) {
            return; // whoever needs the store next will see that it is gone
        }
    }

    /// Writes down why this member breaks its connections, before it does: others see that first, and would take it
    /// for lost.
    void leave(MeshException reason) {
        try {
            store.set("end/" + group.rank(), bytes(FailureNote.write(reason)));
        } catch (StoreException e) {
            return; // the others will find that the store is gone
        }
    }

    /// Why a member has broken its connections, if it wrote that down.
    Optional<MeshException> findReason(int rank) {
        try {
            return store.find("end/" + rank)
                    .map(value -> FailureNote.read(new String(value, StandardCharsets.UTF_8), group.worldRank(rank)));
        } catch (StoreException e) {
            return Optional.empty();
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
