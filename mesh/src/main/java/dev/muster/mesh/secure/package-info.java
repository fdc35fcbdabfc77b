// SPDX-License-Identifier: Apache-2.0
/// Protection of the connections of a mesh: TLS 1.3 with a key that follows from the secret, tags on
/// messages, and limits for those who have not proven themselves yet. Stores and sockets use it alike; it knows
/// neither.
@NullMarked
package dev.muster.mesh.secure;

import org.jspecify.annotations.NullMarked;
