/// Heartbeats of ranks in a store, and who has fallen silent. Not for users of the mesh.
@NullMarked
package dev.muster.mesh.liveness;

import org.jspecify.annotations.NullMarked;
