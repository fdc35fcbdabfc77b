// SPDX-License-Identifier: Apache-2.0
/// Obstacles that keep the ranks of a mesh from working together on a machine, and the calls at which ranks that failed
/// went apart.
@NullMarked
package dev.muster.mesh.doctor;

import org.jspecify.annotations.NullMarked;
