// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.answer;

/// A note on the basis of an answer: an omission, an assumption or a choice.
///
/// @param kind kind of note
/// @param sentence text, without a full stop
/// @since 0.1
public record PlanNote(Kind kind, String sentence) {
    /// The kinds of notes.
    public enum Kind {
        /// A device that was not used.
        LEFT_OUT,
        /// An assumption about an unknown fact.
        ASSUMED,
        /// A choice among several ways.
        CHOSEN,
        /// A part of the answer that deserves attention.
        WARNING
    }

    /// Returns a note on a device that was not used.
    public static PlanNote leftOut(String sentence) {
        return new PlanNote(Kind.LEFT_OUT, sentence);
    }

    /// Returns a note on an assumption.
    public static PlanNote assumed(String sentence) {
        return new PlanNote(Kind.ASSUMED, sentence);
    }

    /// Returns a note on a choice.
    public static PlanNote chosen(String sentence) {
        return new PlanNote(Kind.CHOSEN, sentence);
    }

    /// Returns a warning.
    public static PlanNote warning(String sentence) {
        return new PlanNote(Kind.WARNING, sentence);
    }
}
