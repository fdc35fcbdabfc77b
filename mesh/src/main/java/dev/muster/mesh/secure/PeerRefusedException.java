// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.secure;

import java.io.IOException;

/// The other end of a connection is not the member that it should be, or does not want what this end wants.
public final class PeerRefusedException extends IOException {
    private static final long serialVersionUID = 1;

    /// @param message the fault of the other end, for people
    public PeerRefusedException(String message) {
        super(message);
    }

    PeerRefusedException(String message, IOException cause) {
        super(message, cause);
    }
}
