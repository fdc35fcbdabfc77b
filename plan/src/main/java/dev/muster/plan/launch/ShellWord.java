package dev.muster.plan.launch;

import java.util.List;

/// One word of a command line of `sh`: quoted so that the shell hands it on as it is, apart from
/// variables. Immutable.
///
/// @param parts what it consists of, in order
record ShellWord(List<Part> parts) {
    /// Characters that mean nothing to any shell, wherever they stand.
    private static final String HARMLESS = "[A-Za-z0-9_./:=,@%+-]*";

    /// A piece of a word.
    sealed interface Part {}

    /// Text.
    record Literal(String text) implements Part {}

    /// A variable of the shell.
    record Variable(String name) implements Part {}

    ShellWord {
        parts = List.copyOf(parts);
    }

    static ShellWord of(String text) {
        return new ShellWord(List.of(new Literal(text)));
    }

    /// The word without quotes.
    String plain() {
        StringBuilder text = new StringBuilder();
        for (Part part : parts) {
            switch (part) {
                case Literal(String literal) -> text.append(literal);
                case Variable(String name) -> text.append('$').append(name);
            }
        }
        return text.toString();
    }

    /// The word as it stands in a script.
    String quoted() {
        StringBuilder text = new StringBuilder();
        for (Part part : parts) {
            switch (part) {
                case Literal(String literal) -> text.append(literal.isEmpty() ? "" : quote(literal));
                case Variable(String name) -> text.append("\"$").append(name).append('"');
            }
        }
        return text.isEmpty() ? "''" : text.toString();
    }

    /// Between single quotes nothing is special but the quote itself, which is closed, escaped and
    /// opened again.
    private static String quote(String text) {
        return text.matches(HARMLESS) ? text : "'" + text.replace("'", "'\\''") + "'";
    }
}
