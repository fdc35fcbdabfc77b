// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.cost;

/// One axis of the mesh that a plan lays devices on. Of several, the outermost comes first: ranks that differ in the
/// last one follow each other.
///
/// @param name `dp` for replicas, `pp` for stages, `cp` for context parallel, `tp` for tensor parallel,
///     `ep` for expert parallel alone
/// @param size number of ranks along it
/// @since 0.1
public record MeshAxis(String name, int size) {}
