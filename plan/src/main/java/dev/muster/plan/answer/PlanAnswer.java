// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.answer;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// The answer of a planner: a plan, a plan that does not fit with remedies, or the reason why there is none.
/// Immutable.
///
/// @param <P> type of the plan
/// @since 0.1
public sealed interface PlanAnswer<P> {
    /// Returns the plans that were considered, the best or nearest first.
    List<P> considered();

    /// Returns omissions, assumptions and choices.
    List<PlanNote> notes();

    /// Returns a copy with more notes at the end.
    PlanAnswer<P> withNotes(List<PlanNote> more);

    /// Returns the same answer with other plans in place of those considered.
    PlanAnswer<P> map(UnaryOperator<P> change);

    /// Returns the plan to show: the best, or the nearest if none does.
    default Optional<P> findFirst() {
        return considered().stream().findFirst();
    }

    /// Reports whether there is a plan that does.
    default boolean isFeasible() {
        return this instanceof Feasible;
    }

    /// A plan that fits and keeps all limits.
    ///
    /// @param considered plans, the best first; at least one
    /// @param tried number of plans evaluated or ruled out by a bound
    /// @param notes omissions, assumptions and choices
    record Feasible<P>(List<P> considered, long tried, List<PlanNote> notes) implements PlanAnswer<P> {
        /// Copies the lists.
        public Feasible {
            considered = List.copyOf(considered);
            notes = List.copyOf(notes);
        }

        /// Returns the best plan.
        public P best() {
            return considered.getFirst();
        }

        @Override
        public PlanAnswer<P> withNotes(List<PlanNote> more) {
            return new Feasible<>(considered, tried, joined(notes, more));
        }

        @Override
        public PlanAnswer<P> map(UnaryOperator<P> change) {
            return new Feasible<>(considered.stream().map(change).toList(), tried, notes);
        }
    }

    /// An answer without a fitting plan, or with broken limits only. The reason is that of the nearest plan: its
    /// memory, or its breaches.
    ///
    /// @param considered plans, the nearest first; at least one
    /// @param remedies changes with which the request can be met, the best first
    /// @param notes omissions, assumptions and choices
    record Infeasible<P>(List<P> considered, List<Remedy> remedies, List<PlanNote> notes) implements PlanAnswer<P> {
        /// Copies the lists.
        public Infeasible {
            considered = List.copyOf(considered);
            remedies = List.copyOf(remedies);
            notes = List.copyOf(notes);
        }

        /// Returns the plan that comes nearest.
        public P closest() {
            return considered.getFirst();
        }

        @Override
        public PlanAnswer<P> withNotes(List<PlanNote> more) {
            return new Infeasible<>(considered, remedies, joined(notes, more));
        }

        @Override
        public PlanAnswer<P> map(UnaryOperator<P> change) {
            return new Infeasible<>(considered.stream().map(change).toList(), remedies, notes);
        }
    }

    /// An answer without any plan: no device, or too little is known of model, format or prices.
    ///
    /// @param reason the reason
    /// @param remedies inputs and changes with which there is an answer
    /// @param notes omissions, assumptions and choices
    record Unanswered<P>(Shortfall reason, List<Remedy> remedies, List<PlanNote> notes) implements PlanAnswer<P> {
        /// Copies the lists.
        public Unanswered {
            remedies = List.copyOf(remedies);
            notes = List.copyOf(notes);
        }

        @Override
        public List<P> considered() {
            return List.of();
        }

        @Override
        public PlanAnswer<P> withNotes(List<PlanNote> more) {
            return new Unanswered<>(reason, remedies, joined(notes, more));
        }

        @Override
        public PlanAnswer<P> map(UnaryOperator<P> change) {
            return this;
        }
    }

    private static List<PlanNote> joined(List<PlanNote> first, List<PlanNote> more) {
        List<PlanNote> all = new ArrayList<>(first);
        all.addAll(more);
        return all;
    }
}
