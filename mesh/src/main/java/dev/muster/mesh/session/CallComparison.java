// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.session;

import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.session.CallNote.Message;
import dev.muster.mesh.session.CallNote.State;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// The notes of members of a group, laid side by side. Finds what can never end: calls that differ, and members that
/// wait for each other. Nothing here depends on time, so that a busy machine leads to no wrong conclusion.
///
/// @param notes by member of the group
record CallComparison(GroupIdentity group, NavigableMap<Integer, CallNote> notes) {
    /// Returns the way in which members contradict each other, for people; empty if their calls can still end.
    Optional<String> findContradiction() {
        return differentCollectives().or(this::differentMessages).or(this::circle);
    }

    private String rank(int member) {
        return "rank " + group.worldRank(member);
    }

    /// Collectives have the same numbers at all members, so that two with the same number are the same or wrong.
    private Optional<String> differentCollectives() {
        for (Map.Entry<Integer, CallNote> one : notes.entrySet()) {
            CallNote mine = one.getValue();
            if (!mine.isCollective()) {
                continue;
            }
            for (Map.Entry<Integer, CallNote> other :
                    notes.tailMap(one.getKey(), false).entrySet()) {
                CallNote theirs = other.getValue();
                if (theirs.isCollective()
                        && theirs.collectives() == mine.collectives()
                        && (theirs.what() != mine.what() || theirs.howMuch() != mine.howMuch())) {
                    return Optional.of("collective #" + mine.collectives() + ": " + rank(one.getKey()) + " calls "
                            + mine.describe() + ", " + rank(other.getKey()) + " calls " + theirs.describe());
                }
            }
        }
        return Optional.empty();
    }

    private Optional<String> differentMessages() {
        for (Map.Entry<Integer, CallNote> one : notes.entrySet()) {
            for (Message mine : one.getValue().messages()) {
                CallNote theirs = notes.get(mine.peer());
                if (!mine.sends() || theirs == null) {
                    continue;
                }
                for (Message awaited : theirs.messages()) {
                    if (!awaited.sends()
                            && awaited.peer() == one.getKey()
                            && awaited.number() == mine.number()
                            && awaited.bytes() != mine.bytes()) {
                        return Optional.of(rank(one.getKey()) + " sends " + mine.bytes() + " bytes, "
                                + rank(mine.peer()) + " awaits " + awaited.bytes());
                    }
                }
            }
        }
        return Optional.empty();
    }

    /// Members that wait for each other in a circle wait for ever. A collective waits for all who have not begun it: no
    /// message may overtake it.
    private Optional<String> circle() {
        Set<Integer> cleared = new HashSet<>();
        for (int member : notes.keySet()) {
            Optional<List<Integer>> found = findCircle(member, new ArrayList<>(), cleared);
            if (found.isPresent()) {
                List<Integer> circle = found.get();
                List<String> steps = new ArrayList<>();
                for (int i = 0; i < circle.size(); i++) {
                    steps.add(wait(circle.get(i), circle.get((i + 1) % circle.size())));
                }
                return Optional.of("ranks wait for each other: " + String.join(", ", steps));
            }
        }
        return Optional.empty();
    }

    private String wait(int member, int other) {
        CallNote note = note(member);
        return rank(member)
                + (note.isCollective() ? " waits in " + note.describe() + " for " : " receives from ")
                + rank(other);
    }

    private CallNote note(int member) {
        return Objects.requireNonNull(notes.get(member));
    }

    private Optional<List<Integer>> findCircle(int member, List<Integer> path, Set<Integer> cleared) {
        int seen = path.indexOf(member);
        if (seen >= 0) {
            return Optional.of(List.copyOf(path.subList(seen, path.size())));
        }
        if (cleared.contains(member)) {
            return Optional.empty();
        }
        path.add(member);
        for (int other : awaitedBy(member)) {
            Optional<List<Integer>> found = findCircle(other, path, cleared);
            if (found.isPresent()) {
                return found;
            }
        }
        path.removeLast();
        cleared.add(member);
        return Optional.empty();
    }

    /// The members without which the call of a member cannot end, of those that left a note.
    private List<Integer> awaitedBy(int member) {
        CallNote mine = note(member);
        return switch (mine.state()) {
            case IDLE, ELSEWHERE -> List.of();
            case COLLECTIVE -> behind(mine);
            case SENDING ->
                mine.messages().stream()
                        .filter(message -> !message.sends() && isUnsent(member, message))
                        .map(Message::peer)
                        .distinct()
                        .toList();
        };
    }

    private List<Integer> behind(CallNote mine) {
        return notes.entrySet().stream()
                .filter(other -> other.getValue().collectives() < mine.collectives())
                .map(Map.Entry::getKey)
                .toList();
    }

    /// Reports whether the other end has not begun to send a message; one that it has sent may be under way.
    private boolean isUnsent(int member, Message awaited) {
        CallNote theirs = notes.get(awaited.peer());
        return theirs != null && awaited.peer() != member && theirs.sent().get(member) <= awaited.number();
    }

    /// The members that have not come to the call of a member, by what they do instead.
    List<Integer> absent(int member, State instead) {
        CallNote mine = note(member);
        Set<Integer> absent = new TreeSet<>(mine.isCollective() ? behind(mine) : awaitedBy(member));
        for (Message message : mine.messages()) {
            CallNote theirs = notes.get(message.peer());
            if (message.sends() && theirs != null && theirs.received().get(member) <= message.number()) {
                absent.add(message.peer());
            }
        }
        return absent.stream()
                .filter(other -> note(other).state().equals(instead))
                .toList();
    }
}
