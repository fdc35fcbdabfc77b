// SPDX-License-Identifier: Apache-2.0
/// Collectives of a group of processes: what they are called with, how values are reduced, how a call is watched, and
/// what goes wrong. Engines of other packages carry them out.
@NullMarked
package dev.muster.mesh.collective;

import org.jspecify.annotations.NullMarked;
