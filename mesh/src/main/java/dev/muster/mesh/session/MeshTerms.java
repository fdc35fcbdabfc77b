// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.session;

import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.GroupError;
import dev.muster.mesh.store.Store;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// The terms of a mesh on which all ranks agree before any does something that others hear of: a rank that was started
/// for another mesh must not end this one.
///
/// @param protocol version of what ranks say to each other through the store
/// @param rank the rank whose terms they are
/// @param worldSize number of ranks
/// @param version release of the library
/// @param backend backend of groups
/// @param order true if reductions take ranks in ascending order
record MeshTerms(String protocol, String rank, String worldSize, String version, String backend, String order) {
    private static final int FIELDS = 6;

    static MeshTerms of(int protocol, int rank, int worldSize, SessionConfig config) {
        return new MeshTerms(
                String.valueOf(protocol),
                String.valueOf(rank),
                String.valueOf(worldSize),
                release(),
                config.backend(),
                String.valueOf(config.inRankOrder()));
    }

    /// Returns the release, where the library runs from a jar.
    private static String release() {
        return Optional.ofNullable(MeshTerms.class.getModule().getDescriptor())
                .flatMap(module -> module.rawVersion())
                .or(() -> Optional.ofNullable(MeshTerms.class.getPackage().getImplementationVersion()))
                .orElse("unknown")
                .replaceAll("\\s", "_");
    }

    private String text() {
        return String.join(" ", protocol, worldSize, rank, version, backend, order);
    }

    /// Compares these terms with those of the first rank that came.
    ///
    /// @throws GroupException `disagreement`, with both
    void requireSame(Store store, String key) {
        if (store.setIfAbsent(key, text().getBytes(StandardCharsets.UTF_8))) {
            return;
        }
        String[] said = new String(store.find(key).orElseThrow(), StandardCharsets.UTF_8).split(" ", FIELDS);
        if (said.length < FIELDS || !said[0].equals(protocol) || !said[3].equals(version)) {
            throw disagreement(
                    "runs " + (said.length > 3 && !said[3].equals(version) ? "Muster " + version : "another Muster"),
                    said,
                    "runs " + (said.length > 3 ? "Muster " + said[3] : "an older one")
                            + "; start all with the same version");
        }
        if (!said[1].equals(worldSize)) {
            throw disagreement(
                    "was started as one of " + worldSize + " ranks",
                    said,
                    "began this mesh with " + said[1] + "; give all processes the same WORLD_SIZE");
        }
        if (!said[4].equals(backend)) {
            throw disagreement(
                    "takes the backend " + backend,
                    said,
                    "takes " + said[4] + "; give all processes the same MUSTER_BACKEND");
        }
        if (!said[5].equals(order)) {
            throw disagreement(
                    "reduces " + (Boolean.parseBoolean(order) ? "in rank order" : "in any order"),
                    said,
                    "does not; join all with the same rank order");
        }
    }

    private GroupException disagreement(String own, String[] said, String theirs) {
        String first = said.length > 2 ? said[2] : "0";
        return new GroupException(
                GroupError.DISAGREEMENT, "rank " + rank + " " + own + ", but rank " + first + " " + theirs);
    }
}
