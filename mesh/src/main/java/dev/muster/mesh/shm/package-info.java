// SPDX-License-Identifier: Apache-2.0
/// Collectives through memory that all members see: mapped by processes of one host, or shared by threads of one
/// process. Nothing native is needed.
@NullMarked
package dev.muster.mesh.shm;

import org.jspecify.annotations.NullMarked;
