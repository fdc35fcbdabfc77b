// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.top;

/// A part of the screen.
///
/// @param x its first column
/// @param y its first line
/// @param width how many columns it has
/// @param height how many lines it has
record Area(int x, int y, int width, int height) {
    /// The first column that is not its own.
    int end() {
        return x + width;
    }

    /// The first line that is not its own.
    int bottom() {
        return y + height;
    }

    /// The same without its first lines.
    Area below(int lines) {
        return new Area(x, y + lines, width, Math.max(0, height - lines));
    }
}
