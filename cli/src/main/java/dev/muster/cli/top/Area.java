// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.top;

/// A part of the screen.
///
/// @param x its first column
/// @param y its first line
/// @param width number of columns it has
/// @param height number of lines it has
record Area(int x, int y, int width, int height) {
    /// Returns the first column that is not its own.
    int end() {
        return x + width;
    }

    /// Returns the first line that is not its own.
    int bottom() {
        return y + height;
    }

    /// Returns a copy without its first lines.
    Area below(int lines) {
        return new Area(x, y + lines, width, Math.max(0, height - lines));
    }
}
