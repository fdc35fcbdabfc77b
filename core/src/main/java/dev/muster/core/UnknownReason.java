// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

/// The reason for an unknown fact.
///
/// @since 0.1
public enum UnknownReason implements KebabCaseEnum {
    /// It was not asked for.
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
}
