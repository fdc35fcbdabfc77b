package dev.muster.cli.doctor;

/// What a check found.
///
/// @param id the check's name, which stays the same from release to release
/// @param status how it went
/// @param message what was seen, in one sentence
/// @param next what to do about it; blank where nothing is to be done
public record Finding(String id, Status status, String message, String next) {
    /// How a check went.
    public enum Status {
        /// As it should be.
        PASS,
        /// Something is worse than it could be.
        WARN,
        /// Something keeps accelerators from being used.
        FAIL,
        /// There was nothing to check.
        SKIP
    }
}
