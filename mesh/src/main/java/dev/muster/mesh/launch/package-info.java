/// What a process learns from whoever started it: which rank it is, of how many, and where all of them meet. The
/// variables of torchrun, MPI, Slurm and Kubernetes are understood.
@NullMarked
package dev.muster.mesh.launch;

import org.jspecify.annotations.NullMarked;
