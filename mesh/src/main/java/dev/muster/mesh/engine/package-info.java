// SPDX-License-Identifier: Apache-2.0
/// Parts that engines are built from: reductions, waiting, scratch memory, failures as text. Not for users of the mesh.
@NullMarked
package dev.muster.mesh.engine;

import org.jspecify.annotations.NullMarked;
