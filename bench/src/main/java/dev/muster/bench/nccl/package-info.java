// SPDX-License-Identifier: Apache-2.0
/// Checks and measurements of collectives on a GPU, run by hand on a machine that has one.
@NullMarked
package dev.muster.bench.nccl;

import org.jspecify.annotations.NullMarked;
