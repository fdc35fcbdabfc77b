package dev.muster.mesh.tcp;

import java.io.IOException;

/// The other end of a connection is not the member that it should be.
final class PeerRefusedException extends IOException {
    private static final long serialVersionUID = 1;

    PeerRefusedException(String message) {
        super(message);
    }
}
