package dev.muster.mesh.mpi;

/// A function of MPI returned an error; the message is the function and what the library says.
final class MpiException extends RuntimeException {
    private static final long serialVersionUID = 1;

    MpiException(String message) {
        super(message);
    }
}
