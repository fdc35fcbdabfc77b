// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.text;

import dev.muster.core.json.JsonValue;

/// What a command found out, in the forms in which it is printed.
public interface Answer {
    /// For people.
    String text(Terminal terminal);

    /// For machines.
    JsonValue json();
}
