// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/// A fact about a device or host: known, with where it came from, or unknown, with the reason. Immutable.
///
/// An unknown fact is never zero, minus one or an empty text.
///
/// @param <T> the type of the fact
/// @since 0.1
public sealed interface Reading<T> {
    /// A known fact.
    static <T> Reading<T> known(T value, Provenance provenance) {
        return new Known<>(value, provenance);
    }

    /// An unknown fact, for a reason that needs no further words.
    static <T> Reading<T> unknown(UnknownReason reason) {
        return new Unknown<>(reason, "");
    }

    /// An unknown fact and what exactly went wrong.
    static <T> Reading<T> unknown(UnknownReason reason, String detail) {
        return new Unknown<>(reason, detail);
    }

    /// A fact that its source, or every source, does not tell.
    ///
    /// @param detail the interface or tool that does not report it
    static <T> Reading<T> notSupported(String detail) {
        return new Unknown<>(UnknownReason.NOT_SUPPORTED, detail);
    }

    /// The answer of a source: known if it reported a value.
    ///
    /// @param otherwise the reason for a missing value
    static <T> Reading<T> of(Optional<T> told, Provenance provenance, String otherwise) {
        return told.isPresent() ? known(told.get(), provenance) : notSupported(otherwise);
    }

    /// A fact that was not asked for.
    @SuppressWarnings("unchecked") // an unknown reading holds no value of its type
    static <T> Reading<T> notProbed() {
        return (Reading<T>) Unknown.NOT_PROBED;
    }

    /// The value, if known.
    Optional<T> find();

    /// Reports whether the value is known.
    default boolean isKnown() {
        return this instanceof Known;
    }

    /// Reports whether the value is known and satisfies a condition.
    default boolean matches(Predicate<? super T> condition) {
        return find().filter(condition).isPresent();
    }

    /// Reports whether the fact was not asked for.
    default boolean isNotProbed() {
        return this instanceof Unknown<T> unknown && unknown.reason() == UnknownReason.NOT_PROBED;
    }

    /// The fact with its value converted; provenance and reasons stay.
    default <R> Reading<R> map(Function<? super T, ? extends R> conversion) {
        return switch (this) {
            case Known<T>(T value, Provenance provenance) -> new Known<>(conversion.apply(value), provenance);
            case Unknown<T>(UnknownReason reason, String detail) -> new Unknown<>(reason, detail);
        };
    }

    /// A known fact.
    ///
    /// @param value the fact
    /// @param provenance its source
    record Known<T>(T value, Provenance provenance) implements Reading<T> {
        @Override
        public Optional<T> find() {
            return Optional.of(value);
        }
    }

    /// An unknown fact.
    ///
    /// @param reason the reason
    /// @param detail the exact error, for people; blank if the reason is enough
    record Unknown<T>(UnknownReason reason, String detail) implements Reading<T> {
        private static final Unknown<?> NOT_PROBED = new Unknown<>(UnknownReason.NOT_PROBED, "");

        @Override
        public Optional<T> find() {
            return Optional.empty();
        }
    }
}
