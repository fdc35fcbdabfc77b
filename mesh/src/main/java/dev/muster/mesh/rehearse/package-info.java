// SPDX-License-Identifier: Apache-2.0
/// Messages of a step of a plan, sent for real and timed: the rehearsal of a step, and the
/// measurement of collectives by size. It knows meshes and groups, and nothing of models.
@NullMarked
package dev.muster.mesh.rehearse;

import org.jspecify.annotations.NullMarked;
