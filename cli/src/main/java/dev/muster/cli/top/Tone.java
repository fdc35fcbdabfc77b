// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.top;

/// The tone of a cell, in the sixteen colours that every terminal has; the theme of the terminal decides what they
/// are.
enum Tone {
    PLAIN("0"),
    STRONG("0;1"),
    DIM("0;2"),
    GOOD("0;32"),
    WARN("0;33"),
    BAD("0;31"),
    ACCENT("0;36"),
    TITLE("0;1;36"),
    ALARM("0;1;31"),
    CURSOR("0;7");

    private final String code;

    Tone(String code) {
        this.code = code;
    }

    String sequence() {
        return "\u001b[" + code + "m";
    }

    /// Green, yellow or red, for a share of what is possible.
    static Tone ofShare(double share, double warn, double bad) {
        if (share >= bad) {
            return BAD;
        }
        return share >= warn ? WARN : GOOD;
    }
}
