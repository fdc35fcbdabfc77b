// SPDX-License-Identifier: Apache-2.0
/// The place of a started process in its mesh: its rank, the number of ranks, and the store where they meet, from the
/// variables of torchrun, MPI, Slurm, Kubernetes or `muster mesh run`.
@NullMarked
package dev.muster.mesh.launch;

import org.jspecify.annotations.NullMarked;
