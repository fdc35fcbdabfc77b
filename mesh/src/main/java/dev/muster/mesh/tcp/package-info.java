// SPDX-License-Identifier: Apache-2.0
/// Collectives through sockets, for members on different hosts. Each pair of members has a connection of its own, made
/// when the group is, and proves to each other that it knows the secret of the mesh.
@NullMarked
package dev.muster.mesh.tcp;

import org.jspecify.annotations.NullMarked;
