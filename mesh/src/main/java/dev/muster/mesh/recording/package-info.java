// SPDX-License-Identifier: Apache-2.0
/// What ranks recorded before a failure: files, and where ranks went apart. Not for users of the mesh.
@NullMarked
package dev.muster.mesh.recording;

import org.jspecify.annotations.NullMarked;
