package dev.muster.mesh.gloo;

import dev.muster.mesh.collective.Call;
import dev.muster.mesh.gloo.GlooMover.Pending;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Which call a member is stuck in, as it tells others. Immutable.
///
/// @param what what it calls, as [Call#what()]
/// @param howMuch as [Call#howMuch()]
/// @param pending its messages that have not moved
record CallNote(long what, long howMuch, List<Pending> pending) {
    private static final int HEX = 16;
    private static final Pattern FORM =
            Pattern.compile("[0-9a-f]{1,16} [0-9a-f]{1,16}( [sr]:[0-9]{1,9}:[0-9]{1,5}:[0-9]{1,18})*");

    CallNote {
        pending = List.copyOf(pending);
    }

    static CallNote of(Call call, List<Pending> pending) {
        return new CallNote(call.what(), call.howMuch(), pending);
    }

    /// As the store keeps it.
    String text() {
        StringBuilder text =
                new StringBuilder(Long.toHexString(what)).append(' ').append(Long.toHexString(howMuch));
        pending.forEach(message -> text.append(' ').append(message.text()));
        return text.toString();
    }

    /// What another member wrote, if it can be read.
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
            return Optional.of("rank " + ownWorld + " calls " + Call.text(what, howMuch) + ", rank " + otherWorld
                    + " calls " + Call.text(theirs.what, theirs.howMuch));
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
