package dev.muster.mesh.tcp;

/// The other member calls something else; the message says what.
final class OtherCallException extends RuntimeException {
    private static final long serialVersionUID = 1;

    OtherCallException(String theirs) {
        super(theirs);
    }
}
