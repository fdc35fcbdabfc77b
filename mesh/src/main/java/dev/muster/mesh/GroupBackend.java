// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh;

import dev.muster.core.text.NearestMatch;
import dev.muster.mesh.MeshPlanException.MeshPlanError;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The kind of library that carries the messages of a group.
///
/// @since 0.1
public enum GroupBackend {
    /// NVIDIA's library, between its GPUs.
    NCCL,
    /// Gloo, between processors over TCP.
    GLOO,
    /// A library of the Message Passing Interface.
    MPI,
    /// A stand-in that a test supplies.
    MOCK,
    /// Threads of one process.
    LOCAL,
    /// Without messages: every rank is taken to hold what this one holds.
    FAKE,
    /// Memory that processes of one host share.
    SHM,
    /// Sockets.
    TCP,
    /// Shared memory inside a host, sockets between hosts.
    HIER,
    /// AMD's library, between its GPUs.
    RCCL;

    private final String text = name().toLowerCase(Locale.ROOT);

    /// Reads a backend as it is written, in any case.
    ///
    /// @throws MeshPlanException if the backend does not exist
    public static GroupBackend parse(String text) {
        String word = text.strip().toLowerCase(Locale.ROOT);
        List<String> words = new ArrayList<>();
        for (GroupBackend backend : values()) {
            if (backend.text.equals(word)) {
                return backend;
            }
            words.add(backend.text);
        }
        throw new MeshPlanException(
                MeshPlanError.BAD_NAME,
                "'" + text + "' is not a group backend"
                        + NearestMatch.find(word, words)
                                .map(near -> "; did you mean " + near + "?")
                                .orElse("; backends are " + String.join(", ", words)));
    }

    /// The backend as it is written, such as `nccl`.
    public String text() {
        return text;
    }
}
