// SPDX-License-Identifier: Apache-2.0
/// The engine `hier` for groups that span hosts: shared memory within a host, sockets between the first
/// members of hosts, and sockets between all for what gains nothing by the detour.
@NullMarked
package dev.muster.mesh.hier;

import org.jspecify.annotations.NullMarked;
