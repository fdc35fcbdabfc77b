// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.terminal;

import dev.muster.core.json.JsonValue;

/// The result of a command, in its printed forms.
public interface Report {
    /// Returns the text for terminals.
    String text(Terminal terminal);

    /// Returns the JSON document.
    JsonValue json();
}
