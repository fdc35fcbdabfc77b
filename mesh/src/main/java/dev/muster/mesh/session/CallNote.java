// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.session;

import dev.muster.mesh.collective.GroupCall;
import dev.muster.mesh.collective.Operation;
import dev.muster.mesh.collective.Transfer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The call of a member of a group, as it tells the others. Immutable. Members are those of the group.
///
/// @param state the member's occupation
/// @param collectives number of collectives that it has begun; all members number them alike
/// @param what its call, as [GroupCall#what()]
/// @param howMuch as [GroupCall#howMuch()]
/// @param counts elements of the pieces, of uneven collectives
/// @param sent number of messages to each member so far, with those of this call
/// @param received number of messages from each member so far, with those that this call awaits
/// @param messages the messages of this call
record CallNote(
        State state,
        long collectives,
        long what,
        long howMuch,
        List<Long> counts,
        List<Long> sent,
        List<Long> received,
        List<Message> messages) {
    private static final int HEX = 16;
    private static final String LIST = "(-|[0-9]{1,19}(,[0-9]{1,19}){0,65535})";
    private static final Pattern FORM = Pattern.compile("[iecs] [0-9]{1,18} [0-9a-f]{1,16} [0-9a-f]{1,16} " + LIST + " "
            + LIST + " " + LIST + "( [sr]:[0-9]{1,9}:[0-9]{1,18}:[0-9]{1,18}){0,65535}");
    /// Of messages, so many are told.
    private static final int MOST_MESSAGES = 1_000;

    /// The occupation of a member.
    enum State {
        /// In no call of any group.
        IDLE('i'),
        /// In no call of this group, but in one of another.
        ELSEWHERE('e'),
        /// In a collective of this group.
        COLLECTIVE('c'),
        /// In an exchange of messages of this group.
        SENDING('s');

        private final char letter;

        State(char letter) {
            this.letter = letter;
        }

        private static Optional<State> of(char letter) {
            return Arrays.stream(values())
                    .filter(state -> state.letter == letter)
                    .findFirst();
        }
    }

    /// A message of an exchange.
    ///
    /// @param sends true if the member sends it
    /// @param peer the member at the other end
    /// @param number number of messages before it between the two, that way
    /// @param bytes its length
    record Message(boolean sends, int peer, long number, long bytes) {
        private static Message parse(String text) {
            String[] parts = text.split(":", 4);
            return new Message(
                    parts[0].equals("s"),
                    Integer.parseInt(parts[1]),
                    Long.parseLong(parts[2]),
                    Long.parseLong(parts[3]));
        }

        private String text() {
            return (sends ? "s" : "r") + ":" + peer + ":" + number + ":" + bytes;
        }
    }

    /// The note of a member that is not in a call.
    static CallNote none(boolean elsewhere, long collectives, List<Long> sent, List<Long> received) {
        State state = elsewhere ? State.ELSEWHERE : State.IDLE;
        return new CallNote(state, collectives, 0, 0, List.of(), sent, received, List.of());
    }

    /// The note of a member in a call.
    ///
    /// @param sent number of messages to each member before this call
    /// @param received number of messages from each member before this call
    static CallNote of(GroupCall call, int ranks, long collectives, long[] sent, long[] received) {
        long[] out = sent.clone();
        long[] in = received.clone();
        boolean exchanges = call.operation().equals(Operation.EXCHANGE);
        List<Message> messages = new ArrayList<>();
        for (int i = 0; exchanges && i < call.transferCount(); i++) {
            Transfer one = call.transfer(i);
            long number = one.sends() ? out[one.peer()]++ : in[one.peer()]++;
            if (messages.size() < MOST_MESSAGES) {
                messages.add(new Message(one.sends(), one.peer(), number, one.bytes()));
            }
        }
        List<Long> counts = new ArrayList<>();
        for (int rank = 0; !exchanges && call.isUneven() && rank < ranks; rank++) {
            counts.add(call.pieceCount(rank));
        }
        State state = exchanges ? State.SENDING : State.COLLECTIVE;
        return new CallNote(
                state, collectives, call.what(), call.howMuch(), counts, list(out), list(in), List.copyOf(messages));
    }

    static List<Long> list(long[] numbers) {
        return Arrays.stream(numbers).boxed().toList();
    }

    boolean isCollective() {
        return state.equals(State.COLLECTIVE);
    }

    /// Describes the call for people.
    String describe() {
        String text = GroupCall.text(what, howMuch);
        return counts.isEmpty() ? text : text + " " + counts;
    }

    /// As the store keeps it.
    String text() {
        String head = state.letter + " " + collectives + " " + Long.toHexString(what) + " " + Long.toHexString(howMuch)
                + " " + text(counts) + " " + text(sent) + " " + text(received);
        return head + messages.stream().map(message -> " " + message.text()).collect(Collectors.joining());
    }

    private static String text(List<Long> numbers) {
        return numbers.isEmpty() ? "-" : numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    /// Returns the note of another member, if it can be read.
    ///
    /// @param ranks number of members of the group
    static Optional<CallNote> parse(String text, int ranks) {
        if (!FORM.matcher(text).matches()) {
            return Optional.empty();
        }
        String[] words = text.split(" ", -1);
        try {
            CallNote note = new CallNote(
                    State.of(words[0].charAt(0)).orElseThrow(),
                    Long.parseLong(words[1]),
                    Long.parseUnsignedLong(words[2], HEX),
                    Long.parseUnsignedLong(words[3], HEX),
                    numbers(words[4]),
                    numbers(words[5]),
                    numbers(words[6]),
                    Arrays.stream(words).skip(7).map(Message::parse).toList());
            boolean fits = note.sent.size() == ranks
                    && note.received.size() == ranks
                    && note.messages.stream().allMatch(message -> message.peer < ranks);
            return fits ? Optional.of(note) : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty(); // a number that is too large
        }
    }

    private static List<Long> numbers(String text) {
        return text.equals("-")
                ? List.of()
                : Arrays.stream(text.split(",", -1)).map(Long::valueOf).toList();
    }
}
