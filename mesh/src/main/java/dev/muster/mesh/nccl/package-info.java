// SPDX-License-Identifier: Apache-2.0
/// Collectives of memory on devices through NCCL, and through RCCL, which has the same functions. What
/// the mesh knows of its members, such as who fails, travels through the store; the libraries carry the
/// data.
@NullMarked
package dev.muster.mesh.nccl;

import org.jspecify.annotations.NullMarked;
