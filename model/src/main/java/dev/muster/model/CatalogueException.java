// SPDX-License-Identifier: Apache-2.0
package dev.muster.model;

import java.io.Serial;

/// A catalogue that cannot be read, or a name that it cannot resolve. The message is one sentence for people: what is
/// wrong, where, and what to do.
///
/// @since 0.1
public final class CatalogueException extends PlanException {
    @Serial
    private static final long serialVersionUID = 1L;

    private static final int NO_LINE = 0;

    private final int line;

    private CatalogueException(int line, String message) {
        super(message);
        this.line = line;
    }

    /// Returns an exception for an error at a line of a table.
    public static CatalogueException at(int line, String what) {
        return new CatalogueException(line, "line " + line + ": " + what);
    }

    /// Returns an exception for an error that concerns no line.
    public static CatalogueException of(String what) {
        return new CatalogueException(NO_LINE, what);
    }

    /// Returns the line of the table, from 1; 0 when the exception concerns no line.
    public int line() {
        return line;
    }
}
