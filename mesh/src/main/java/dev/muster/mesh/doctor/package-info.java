// SPDX-License-Identifier: Apache-2.0
/// What keeps the ranks of a mesh from working together on a machine, and where ranks that failed went apart.
@NullMarked
package dev.muster.mesh.doctor;

import org.jspecify.annotations.NullMarked;
