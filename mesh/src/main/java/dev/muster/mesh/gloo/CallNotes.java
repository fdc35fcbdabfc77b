// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.gloo;

import dev.muster.mesh.collective.GroupCall;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.GroupError;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.collective.Operation;
import dev.muster.mesh.engine.FailureNote;
import dev.muster.mesh.gloo.GlooTransport.Pending;
import dev.muster.mesh.store.Store;
import dev.muster.mesh.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/// Notes that members leave in the store when a call does not end: Gloo says neither for whom it waits nor
/// what the others call. Safe for use by several threads.
///
/// @param store for the keys of this group alone
record CallNotes(GroupIdentity group, Store store) {
    private static final Duration SHORTEST_GRACE = Duration.ofMillis(100);
    private static final Duration LONGEST_GRACE = Duration.ofSeconds(1);
    private static final int GRACE_SHARE = 4;
    /// Of messages that have not moved, so many are told.
    private static final int MOST_MESSAGES = 1_000;

    /// Finds the reason for which a call has not ended in time. Writes down that this member is in it, and waits a
    /// little for others whose time passes at nearly the same moment: to blame are those that write nothing, or
    /// something else.
    ///
    /// @param pending the messages that have not moved; of exchanges
    GroupException explain(GroupCall call, List<Pending> pending) {
        List<Integer> awaited = call.operation().equals(Operation.EXCHANGE)
                ? pending.stream().map(Pending::peer).distinct().sorted().toList()
                : IntStream.range(0, group.size())
                        .filter(rank -> rank != group.rank())
                        .boxed()
                        .toList();
        try {
            CallNote mine =
                    CallNote.of(call, pending.stream().limit(MOST_MESSAGES).toList());
            store.set(key(group.rank()), bytes(mine.text()));
            awaitNotes(awaited, call.limit());
            List<Integer> silent = new ArrayList<>();
            for (int rank : awaited) {
                Optional<CallNote> theirs = find(rank);
                if (theirs.isEmpty()) {
                    silent.add(rank);
                    continue;
                }
                Optional<String> difference = mine.findDifference(
                        theirs.get(), group.rank(), rank, group.worldRank(group.rank()), group.worldRank(rank));
                if (difference.isPresent()) {
                    return new GroupException(
                            GroupError.DISAGREEMENT,
                            "group " + group.name() + ": #" + call.sequence() + ": " + difference.get());
                }
            }
            return overdue(call, silent);
        } catch (StoreException e) {
            return overdue(call, awaited);
        }
    }

    private static String key(int rank) {
        return "call/" + rank;
    }

    private void awaitNotes(List<Integer> ranks, Duration limit) {
        if (ranks.isEmpty()) {
            return;
        }
        Duration share = limit.dividedBy(GRACE_SHARE);
        Duration grace = share.compareTo(LONGEST_GRACE) > 0 ? LONGEST_GRACE : share;
        try {
            store.awaitAll(
                    ranks.stream().map(CallNotes::key).toList(),
                    grace.compareTo(SHORTEST_GRACE) < 0 ? SHORTEST_GRACE : grace);
        } catch (StoreException e) {
            if (e.missing().isEmpty()) {
                throw e;
            }
        }
    }

    private Optional<CallNote> find(int rank) {
        return store.find(key(rank)).flatMap(value -> CallNote.parse(new String(value, StandardCharsets.UTF_8)));
    }

    private GroupException overdue(GroupCall call, List<Integer> members) {
        List<Integer> missing = members.stream().map(group::worldRank).toList();
        return GroupException.overdue(group.where(call), call.limit(), missing);
    }

    /// Takes back that this member is in a call: it has ended after all.
    void withdraw() {
        try {
            store.delete(key(group.rank()));
        } catch (StoreException e) {
            return; // the next call of the store will see that it is gone
        }
    }

    /// Writes down why this member breaks its connections, before it does: others see that first, and would take it
    /// for lost.
    void leave(GroupException reason) {
        try {
            store.set("end/" + group.rank(), bytes(FailureNote.write(reason)));
        } catch (StoreException e) {
            return; // the others will find that the store is gone
        }
    }

    /// Returns the reason for which a member has broken its connections, if it wrote that down.
    Optional<GroupException> findReason(int rank) {
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

    /// The call that a member is stuck in, as it tells others. Immutable.
    ///
    /// @param what its call, as [GroupCall#what()]
    /// @param howMuch as [GroupCall#howMuch()]
    /// @param pending its messages that have not moved
    private record CallNote(long what, long howMuch, List<Pending> pending) {
        private static final int HEX = 16;
        private static final Pattern FORM =
                Pattern.compile("[0-9a-f]{1,16} [0-9a-f]{1,16}( [sr]:[0-9]{1,9}:[0-9]{1,5}:[0-9]{1,18})*");

        CallNote {
            pending = List.copyOf(pending);
        }

        static CallNote of(GroupCall call, List<Pending> pending) {
            return new CallNote(call.what(), call.howMuch(), pending);
        }

        /// As the store keeps it.
        String text() {
            StringBuilder text =
                    new StringBuilder(Long.toHexString(what)).append(' ').append(Long.toHexString(howMuch));
            pending.forEach(message -> text.append(' ').append(message.text()));
            return text.toString();
        }

        /// Returns the note of another member, if it can be read.
        static Optional<CallNote> parse(String text) {
            if (!FORM.matcher(text).matches()) {
                return Optional.empty();
            }
            String[] words = text.split(" ", -1);
            return Optional.of(new CallNote(
                    Long.parseUnsignedLong(words[0], HEX),
                    Long.parseUnsignedLong(words[1], HEX),
                    Arrays.stream(words).skip(2).map(Pending::parse).toList()));
        }

        /// In which way two members do not fit each other, for people; nothing if they do.
        ///
        /// @param own the member of this note within the group, and `ownWorld` within the world
        /// @param other the member of the other, and `otherWorld` within the world
        Optional<String> findDifference(CallNote theirs, int own, int other, int ownWorld, int otherWorld) {
            if (what != theirs.what || howMuch != theirs.howMuch) {
                return Optional.of("rank " + ownWorld + " calls " + GroupCall.text(what, howMuch) + ", rank "
                        + otherWorld + " calls " + GroupCall.text(theirs.what, theirs.howMuch));
            }
            for (Pending mine : pending) {
                for (Pending their : theirs.pending) {
                    if (mine.peer() == other && mine.isOtherEndOf(their, own) && mine.bytes() != their.bytes()) {
                        return Optional.of("rank " + ownWorld + verb(mine) + mine.bytes() + " bytes, rank " + otherWorld
                                + verb(their) + their.bytes());
                    }
                }
            }
            return Optional.empty();
        }

        private static String verb(Pending message) {
            return message.sends() ? " sends " : " awaits ";
        }
    }
}
