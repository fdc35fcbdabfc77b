// SPDX-License-Identifier: Apache-2.0
/// Starts the ranks of a mesh as processes: on this host, on others by SSH, or by a launcher of a cluster. Passes their
/// output on and ends all of them when one fails. Not for users of the mesh.
@NullMarked
package dev.muster.mesh.start;

import org.jspecify.annotations.NullMarked;
