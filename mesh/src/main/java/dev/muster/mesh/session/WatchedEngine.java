// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.session;

import dev.muster.mesh.collective.Engine;
import dev.muster.mesh.collective.GroupCall;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.GroupError;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.collective.Operation;
import dev.muster.mesh.collective.Transfer;
import dev.muster.mesh.session.CallNote.State;
import dev.muster.mesh.store.StoreException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// An engine whose calls members tell each other when they take long: calls that contradict each other are found well
/// before their limit, whatever carries them, and a limit that passes blames only those that are seen to be late.
/// Groups of very many members do without.
final class WatchedEngine implements Engine {
    private static final int MOST_MEMBERS = 64;
    /// A call that takes longer is compared with those of others.
    private static final long LONG_NANOS = Duration.ofMillis(500).toNanos();

    private static final int PATIENCE = 4;
    private static final long IDLE = 0;
    private static final long COUNTING = -1;
    private static final int TRIES = 1_000;

    private final Engine engine;
    private final GroupIdentity group;
    private final CallNotes notes;
    /// Reports whether this rank is in a call of any group.
    private final BooleanSupplier isBusy;

    private final long[] sent;
    private final long[] received;
    /// The number of the call under way. What follows is written before it, and read between two looks at it.
    private final AtomicLong number = new AtomicLong();

    private long collectives;
    private @Nullable GroupCall current;

    /// Of [#look()]: the call that it looked at, its age at the next look, and the question that awaits answers.
    private long lookedAt;

    private long nextLook;
    private String asked = "";

    WatchedEngine(Engine engine, GroupIdentity group, CallNotes notes, BooleanSupplier isBusy) {
        this.engine = engine;
        this.group = group;
        this.notes = notes;
        this.isBusy = isBusy;
        this.sent = new long[isSmall() ? group.size() : 0];
        this.received = new long[sent.length];
    }

    private boolean isSmall() {
        return group.size() <= MOST_MEMBERS;
    }

    @Override
    public String name() {
        return engine.name();
    }

    @Override
    public String reason() {
        return engine.reason();
    }

    @Override
    public void requirePossible(GroupCall call) {
        engine.requirePossible(call);
    }

    @Override
    public void execute(GroupCall call) {
        if (!isSmall()) {
            engine.execute(call);
            return;
        }
        if (!call.operation().equals(Operation.EXCHANGE)) {
            collectives++;
        }
        current = call;
        number.setRelease(call.sequence());
        try {
            engine.execute(call);
        } catch (GroupException e) {
            throw explained(call, e);
        } finally {
            number.set(COUNTING);
            count(call);
            number.setRelease(IDLE);
        }
    }

    private void count(GroupCall call) {
        for (int i = 0; call.operation().equals(Operation.EXCHANGE) && i < call.transferCount(); i++) {
            Transfer message = call.transfer(i);
            (message.sends() ? sent : received)[message.peer()]++;
        }
    }

    boolean isInCall() {
        return number.get() != IDLE;
    }

    /// Returns what this member does now; empty if that changes all the time.
    Optional<CallNote> note() {
        for (int look = 0; isSmall() && look < TRIES; look++) {
            long before = number.getAcquire();
            if (before == COUNTING) {
                Thread.onSpinWait();
                continue;
            }
            GroupCall call = current;
            CallNote note = before == IDLE || call == null
                    ? CallNote.none(isBusy.getAsBoolean(), collectives, CallNote.list(sent), CallNote.list(received))
                    : CallNote.of(call, group.size(), collectives, sent, received);
            if (number.compareAndSet(before, before)) {
                return Optional.of(note);
            }
        }
        return Optional.empty();
    }

    GroupIdentity group() {
        return group;
    }

    /// Looks whether the call under way takes long; asks the others then, and compares what they answered until the
    /// next look. For one thread.
    ///
    /// @return the contradiction, if there is one
    Optional<GroupException> look() {
        long call = number.getAcquire();
        GroupCall now = current;
        if (call <= IDLE || now == null || !isSmall()) {
            return Optional.empty();
        }
        if (call != lookedAt) {
            lookedAt = call;
            asked = "";
            long limit = now.limit().toNanos();
            nextLook = limit == 0 ? LONG_NANOS : Math.min(LONG_NANOS, limit / PATIENCE);
        }
        if (!asked.isEmpty()) {
            Optional<String> found = compare(notes.answers(group, asked)).findContradiction();
            asked = "";
            return found.map(this::disagreement);
        }
        if (System.nanoTime() - now.start() >= nextLook) {
            nextLook *= PATIENCE;
            asked = "look";
            notes.ask(this, asked);
        }
        return Optional.empty();
    }

    private CallComparison compare(NavigableMap<Integer, CallNote> answers) {
        return new CallComparison(group, answers);
    }

    private GroupException disagreement(String how) {
        return new GroupException(GroupError.DISAGREEMENT, "group " + group.name() + ": " + how);
    }

    /// Asks the others what they do before anyone is blamed for a limit that passed, or to tell the counts of uneven
    /// pieces.
    private GroupException explained(GroupCall call, GroupException failure) {
        boolean overdue = failure.code().equals(GroupError.LIMIT_EXCEEDED);
        boolean hidesCounts = failure.code().equals(GroupError.DISAGREEMENT) && call.isUneven();
        if (notes.haveFailed() || (!overdue && !hidesCounts)) {
            return failure;
        }
        try {
            String question = group.rank() + "-" + call.sequence();
            notes.ask(this, question);
            NavigableMap<Integer, CallNote> answers = notes.awaitAnswers(group, question);
            CallComparison comparison = compare(answers);
            Optional<String> contradiction = comparison.findContradiction();
            if (contradiction.isPresent()) {
                return disagreement(contradiction.get());
            }
            return overdue ? blame(failure, comparison) : failure;
        } catch (StoreException e) {
            return failure; // who reports it will see that the store is lost
        }
    }

    private GroupException blame(GroupException overdue, CallComparison comparison) {
        List<Integer> unheard = IntStream.range(0, group.size())
                .filter(member -> !comparison.notes().containsKey(member))
                .boxed()
                .toList();
        List<Integer> silent = unheard.stream()
                .filter(member -> notes.isSilent(group.worldRank(member)))
                .toList();
        int own = group.rank();
        if (!silent.isEmpty()) {
            return overdue.becauseOf(worldRanks(silent));
        }
        if (!unheard.isEmpty() || !comparison.notes().containsKey(own)) {
            return overdue.becauseUnknown("which rank is late is unknown: the machine is too busy to tell");
        }
        List<Integer> idle = comparison.absent(own, State.IDLE);
        if (!idle.isEmpty()) {
            return overdue.becauseOf(worldRanks(idle));
        }
        List<Integer> elsewhere = comparison.absent(own, State.ELSEWHERE);
        return overdue.becauseUnknown(
                elsewhere.isEmpty()
                        ? "no rank is seen to be late"
                        : "ranks " + worldRanks(elsewhere) + " are in calls of other groups");
    }

    private List<Integer> worldRanks(Collection<Integer> members) {
        return members.stream().map(group::worldRank).toList();
    }

    @Override
    public void abort(GroupException reason) {
        engine.abort(reason);
    }

    @Override
    public void close() {
        engine.close();
    }
}
