// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import dev.muster.core.Reading;
import dev.muster.plan.answer.Shortfall;
import dev.muster.plan.answer.Shortfall.Cause;
import java.util.Optional;
import java.util.function.Function;

/// The result of a search, or the reason why there is none. Immutable.
///
/// @param <T> type of the result
public sealed interface Attempt<T> {
    static <T> Attempt<T> of(T result) {
        return new Found<>(result);
    }

    /// Returns the value of a fact as a result; if it is unknown, that is the reason.
    static <T> Attempt<T> of(Reading<T> fact) {
        return fact.find().map(Attempt::of).orElseGet(() -> failed(Cause.UNKNOWN_FACT, fact));
    }

    /// Returns an attempt without a result.
    static <T> Attempt<T> failed(Cause cause, Object... values) {
        return new Failed<>(Shortfall.of(cause, values));
    }

    /// Returns the result; empty if there is none.
    default Optional<T> find() {
        return this instanceof Found<T>(T result) ? Optional.of(result) : Optional.empty();
    }

    default <R> Attempt<R> map(Function<? super T, ? extends R> change) {
        return switch (this) {
            case Found<T>(T result) -> new Found<>(change.apply(result));
            case Failed<T>(Shortfall reason) -> new Failed<>(reason);
        };
    }

    /// A result.
    ///
    /// @param result the result
    record Found<T>(T result) implements Attempt<T> {}

    /// No result.
    ///
    /// @param reason the reason
    record Failed<T>(Shortfall reason) implements Attempt<T> {}
}
