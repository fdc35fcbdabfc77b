// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

/// The result of a check of a doctor or a preflight. Immutable.
///
/// @param id the check's name, which stays the same from release to release
/// @param status the outcome
/// @param message the observation, in one sentence
/// @param next the remedy; blank if none is needed
/// @since 0.1
public record Finding(String id, Status status, String message, String next) {
    /// The outcome of a check.
    ///
    /// @since 0.1
    public enum Status {
        /// As it should be.
        PASS,
        /// Something is worse than it could be.
        WARN,
        /// Something keeps accelerators or ranks from being used.
        FAIL,
        /// There was nothing to check.
        SKIP
    }

    /// Reports whether the check passed.
    public boolean isPassed() {
        return status == Status.PASS;
    }

    /// All is well.
    public static Finding pass(String id, String message) {
        return new Finding(id, Status.PASS, message, "");
    }

    /// There was nothing to check.
    public static Finding skip(String id, String message) {
        return new Finding(id, Status.SKIP, message, "");
    }

    /// Something is worse than it could be.
    public static Finding warn(String id, String message, String next) {
        return new Finding(id, Status.WARN, message, next);
    }

    /// Something does not work.
    public static Finding fail(String id, String message, String next) {
        return new Finding(id, Status.FAIL, message, next);
    }
}
