// SPDX-License-Identifier: Apache-2.0
/// A process as a member of a running mesh: it joins at a store, opens groups over the engine that suits their members,
/// hears of failures anywhere in the mesh, and starts again with those that are left.
@NullMarked
package dev.muster.mesh.session;

import org.jspecify.annotations.NullMarked;
