package dev.muster.mesh.tcp;

/// What arrived is no frame of this mesh and incarnation.
final class UnknownFrameException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UnknownFrameException() {
        super("what arrived is no frame of this mesh and incarnation");
    }
}
