// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.answer;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// What a planner found: a plan, why there is none and what would do, or why nothing can be said. Immutable.
///
/// @param <P> what a plan is
/// @since 0.1
public sealed interface PlanAnswer<P> {
    /// Plans that were looked at, the best or nearest first.
    List<P> considered();

    /// What was left out, assumed and chosen on the way.
    List<PlanNote> notes();

    /// The same with more notes, behind those that it has.
    PlanAnswer<P> withNotes(List<PlanNote> more);

    /// Returns the same answer with other plans in place of those considered.
    PlanAnswer<P> map(UnaryOperator<P> change);

    /// The plan to look at: the best, or the nearest where none does.
    default Optional<P> findFirst() {
        return considered().stream().findFirst();
    }

    /// Whether there is a plan that does.
    default boolean isFeasible() {
        return this instanceof Feasible;
    }

    /// A plan that fits and keeps all limits.
    ///
    /// @param considered the best first, and what lost to it; at least one
    /// @param tried how many were looked at or ruled out by a bound
    /// @param notes what was left out, assumed and chosen
    record Feasible<P>(List<P> considered, long tried, List<PlanNote> notes) implements PlanAnswer<P> {
        /// Copies the lists.
        public Feasible {
            considered = List.copyOf(considered);
            notes = List.copyOf(notes);
        }

        /// The best plan.
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

    /// Nothing fits, or all that fit break a limit. The reason is that of the nearest plan: its memory, or its
    /// breaches.
    ///
    /// @param considered the nearest first; at least one
    /// @param nearest what would do, for people, a sentence each
    /// @param notes what was left out, assumed and chosen
    record Infeasible<P>(List<P> considered, List<String> nearest, List<PlanNote> notes) implements PlanAnswer<P> {
        /// Copies the lists.
        public Infeasible {
            considered = List.copyOf(considered);
            nearest = List.copyOf(nearest);
            notes = List.copyOf(notes);
        }

        /// The plan that comes nearest.
        public P closest() {
            return considered.getFirst();
        }

        @Override
        public PlanAnswer<P> withNotes(List<PlanNote> more) {
            return new Infeasible<>(considered, nearest, joined(notes, more));
        }

        @Override
        public PlanAnswer<P> map(UnaryOperator<P> change) {
            return new Infeasible<>(considered.stream().map(change).toList(), nearest, notes);
        }
    }

    /// Nothing can be said: no device, or too little is known of model, format or prices.
    ///
    /// @param reason why, for people
    /// @param remedy what to do about it, for people
    /// @param notes what was left out, assumed and chosen
    record Unanswered<P>(String reason, String remedy, List<PlanNote> notes) implements PlanAnswer<P> {
        /// Copies the list.
        public Unanswered {
            notes = List.copyOf(notes);
        }

        @Override
        public List<P> considered() {
            return List.of();
        }

        @Override
        public PlanAnswer<P> withNotes(List<PlanNote> more) {
            return new Unanswered<>(reason, remedy, joined(notes, more));
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
