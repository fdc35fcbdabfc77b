// SPDX-License-Identifier: Apache-2.0
/// Memory of GPUs: taken, filled, read and given back. Made for CUDA's driver library; AMD's HIP has the
/// same shapes and goes through the same code.
@NullMarked
package dev.muster.mesh.cuda;

import org.jspecify.annotations.NullMarked;
