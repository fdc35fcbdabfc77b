package dev.muster.core;

import java.util.Locale;

/// Whether a link carries traffic.
///
/// @since 0.1
public enum LinkState {
    /// It does.
    UP,
    /// It does not.
    DOWN;

    private final String text = name().toLowerCase(Locale.ROOT);

    /// The state as documents write it.
    public String text() {
        return text;
    }
}
