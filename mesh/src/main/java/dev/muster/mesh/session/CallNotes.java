// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.session;

import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.store.Store;
import dev.muster.mesh.store.Store.Watch;
import dev.muster.mesh.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/// The questions that members of groups ask each other through the store about the calls that they are in, and the
/// answers. A member answers on a thread of its own, also while it waits. Safe for use by several threads.
final class CallNotes implements AutoCloseable {
    private static final String ASKED = "asked/";
    /// The longest wait for all answers.
    private static final Duration LONGEST = Duration.ofSeconds(3);

    private static final Duration LOOK = Duration.ofMillis(200);

    private final Store store;
    private final IntPredicate isSilent;
    private final BooleanSupplier haveFailed;
    private final Watch watch;

    /// @param store keys of this incarnation
    /// @param find the engine of a group of that key
    /// @param isSilent tells of a rank whether it shows no sign of life
    /// @param haveFailed tells whether the mesh has failed, and nothing needs to be found out
    CallNotes(
            Store store,
            Function<String, Optional<WatchedEngine>> find,
            IntPredicate isSilent,
            BooleanSupplier haveFailed) {
        this.store = store;
        this.isSilent = isSilent;
        this.haveFailed = haveFailed;
        this.watch = store.watch(ASKED, (key, value) -> {
            if (!haveFailed.getAsBoolean()) {
                find.apply(key.substring(ASKED.length()))
                        .ifPresent(engine -> answer(engine, new String(value, StandardCharsets.UTF_8)));
            }
        });
    }

    private static String key(GroupIdentity group, String question, int member) {
        return "note/" + group.key() + "/" + question + "/" + member;
    }

    private void answer(WatchedEngine engine, String question) {
        GroupIdentity group = engine.group();
        engine.note()
                .ifPresent(note -> store.set(
                        key(group, question, group.rank()), note.text().getBytes(StandardCharsets.UTF_8)));
    }

    /// Asks all members of a group, and answers for this one.
    void ask(WatchedEngine engine, String question) {
        answer(engine, question);
        store.set(ASKED + engine.group().key(), question.getBytes(StandardCharsets.UTF_8));
    }

    /// Returns the answers that have come, by member.
    NavigableMap<Integer, CallNote> answers(GroupIdentity group, String question) {
        NavigableMap<Integer, CallNote> answers = new TreeMap<>();
        for (int member = 0; member < group.size(); member++) {
            int from = member;
            store.find(key(group, question, member))
                    .flatMap(text -> CallNote.parse(new String(text, StandardCharsets.UTF_8), group.size()))
                    .ifPresent(note -> answers.put(from, note));
        }
        return answers;
    }

    /// Waits for the answers of all members that show signs of life.
    NavigableMap<Integer, CallNote> awaitAnswers(GroupIdentity group, String question) {
        List<String> keys = IntStream.range(0, group.size())
                .mapToObj(member -> key(group, question, member))
                .toList();
        long end = System.nanoTime() + LONGEST.toNanos();
        while (System.nanoTime() - end < 0 && !haveFailed.getAsBoolean()) {
            try {
                store.awaitAll(keys, LOOK);
                break;
            } catch (StoreException e) {
                if (e.missing().isEmpty()) {
                    throw e;
                }
                boolean hopeless = IntStream.range(0, keys.size())
                        .filter(member -> e.missing().contains(keys.get(member)))
                        .allMatch(member -> isSilent(group.worldRank(member)));
                if (hopeless) {
                    break;
                }
            }
        }
        return answers(group, question);
    }

    boolean isSilent(int worldRank) {
        return isSilent.test(worldRank);
    }

    boolean haveFailed() {
        return haveFailed.getAsBoolean();
    }

    @Override
    public void close() {
        watch.close();
    }
}
