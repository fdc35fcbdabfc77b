// SPDX-License-Identifier: Apache-2.0
/// Starts the ranks of a mesh as processes, or lets mpirun or srun start them, and watches them; and what a started
/// process learns: which rank it is, of how many, and where all of them meet. The variables of torchrun, MPI, Slurm
/// and Kubernetes are understood.
@NullMarked
package dev.muster.mesh.launch;

import org.jspecify.annotations.NullMarked;
