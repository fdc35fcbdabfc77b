package dev.muster.core;

import java.util.Locale;

/// Why a fact is not known.
///
/// @since 0.1
public enum UnknownReason {
    /// Nobody asked for it.
    NOT_PROBED,
    /// The device or driver does not have it.
    NOT_SUPPORTED,
    /// The tool that would know is not installed.
    NOT_INSTALLED,
    /// The process may not read it.
    NOT_PERMITTED,
    /// The source did not answer in time.
    TIMED_OUT,
    /// The source answered something that could not be read.
    UNREADABLE,
    /// Sources disagree and no rule decides.
    CONFLICTING,
    /// The source was read and says nothing about it.
    NOT_STATED;

    private final String text = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /// The reason as documents write it, such as `not-permitted`.
    public String text() {
        return text;
    }
}
