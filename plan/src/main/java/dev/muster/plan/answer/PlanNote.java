// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.answer;

/// Something that an answer rests on and that its reader should know: what was left out, assumed or chosen.
///
/// @param kind what sort of thing it is
/// @param sentence the same for people, without a full stop
/// @since 0.1
public record PlanNote(Kind kind, String sentence) {
    /// Sorts of notes.
    public enum Kind {
        /// A device was not used.
        LEFT_OUT,
        /// Something unknown was taken to be so.
        ASSUMED,
        /// One of several ways was taken.
        CHOSEN,
        /// Something in the answer deserves a second look.
        WARNING
    }

    /// A device was not used.
    public static PlanNote leftOut(String sentence) {
        return new PlanNote(Kind.LEFT_OUT, sentence);
    }

    /// Something unknown was taken to be so.
    public static PlanNote assumed(String sentence) {
        return new PlanNote(Kind.ASSUMED, sentence);
    }

    /// One of several ways was taken.
    public static PlanNote chosen(String sentence) {
        return new PlanNote(Kind.CHOSEN, sentence);
    }

    /// Something deserves a second look.
    public static PlanNote warning(String sentence) {
        return new PlanNote(Kind.WARNING, sentence);
    }
}
