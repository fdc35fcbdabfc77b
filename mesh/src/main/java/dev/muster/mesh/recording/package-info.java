// SPDX-License-Identifier: Apache-2.0
/// Recordings of ranks before a failure: files, and the call at which ranks went apart. Not for users of the mesh.
@NullMarked
package dev.muster.mesh.recording;

import org.jspecify.annotations.NullMarked;
