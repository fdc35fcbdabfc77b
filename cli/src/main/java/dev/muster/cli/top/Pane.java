// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.top;

/// The parts of the screen, by the keys that lead to them.
enum Pane {
    DEVICES('1', "devices"),
    HISTORY('2', "history"),
    PROCESSES('3', "processes"),
    TOPOLOGY('4', "topology"),
    ALERTS('5', "alerts");

    private final char key;
    private final String title;

    Pane(char key, String title) {
        this.key = key;
        this.title = title;
    }

    String title() {
        return title;
    }

    /// Returns the key that leads to it, from `1` on.
    char key() {
        return key;
    }
}
