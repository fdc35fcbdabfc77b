// SPDX-License-Identifier: Apache-2.0
/// Jobs of others as they report themselves: the RAS service of NCCL, dumps of PyTorch's flight recorder and files of
/// NCCL Inspector, all of them read within limits. Findings name ranks that are stuck, calls that differ and slow
/// links.
@NullMarked
package dev.muster.mesh.jobs;

import org.jspecify.annotations.NullMarked;
