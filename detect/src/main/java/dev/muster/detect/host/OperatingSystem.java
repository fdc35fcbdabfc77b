// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.host;

import java.util.Locale;

/// The operating system of a host.
///
/// @since 0.1
public enum OperatingSystem {
    /// Linux.
    LINUX,
    /// Apple's macOS.
    MACOS,
    /// Microsoft Windows.
    WINDOWS,
    /// Something else.
    OTHER;

    /// The system that Java calls `os.name`, or a bundle `os`.
    public static OperatingSystem of(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        if (lower.startsWith("linux")) {
            return LINUX;
        }
        if (lower.startsWith("mac") || lower.startsWith("darwin")) {
            return MACOS;
        }
        return lower.startsWith("windows") ? WINDOWS : OTHER;
    }

    /// The system as bundles write it, such as `linux`.
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
