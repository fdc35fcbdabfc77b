package dev.muster.plan.checkpoint;

import java.util.OptionalLong;

/// A value of a GGUF header, as far as it is kept.
sealed interface GgufValue {
    /// A value that is there and says nothing about a model's size: a fraction, a truth value, a long text.
    GgufValue OTHER = new Other();

    /// A whole number; an unsigned one past 2^63-1 appears negative.
    record Whole(GgufValueType type, long value) implements GgufValue {}

    /// A text.
    record Text(String text) implements GgufValue {}

    /// An array.
    ///
    /// @param length how many elements it has
    /// @param common the whole number that all of them are; empty where they differ, are none or something else
    record Series(long length, OptionalLong common) implements GgufValue {}

    /// See [#OTHER].
    record Other() implements GgufValue {}
}
