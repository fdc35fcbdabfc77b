package dev.muster.mesh.gloo;

/// Gloo could not carry out an operation, in its own words.
final class GlooFault extends RuntimeException {
    private static final long serialVersionUID = 1;

    /// @param message as Gloo says it, often with a place in its sources in front
    GlooFault(String message) {
        super(message.replaceFirst("^\\[\\S+:\\d+] ", ""));
    }
}
