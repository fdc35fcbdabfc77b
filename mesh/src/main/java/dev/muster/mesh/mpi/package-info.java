// SPDX-License-Identifier: Apache-2.0
/// Collectives through a library of the Message Passing Interface that is installed on the host: Open
/// MPI, MPICH and those that follow the ABI of MPI 5. No other native code is needed. With a limit,
/// operations are made of messages of that library, so that they can be given up; without one, they are
/// its own collectives.
@NullMarked
package dev.muster.mesh.mpi;

import org.jspecify.annotations.NullMarked;
