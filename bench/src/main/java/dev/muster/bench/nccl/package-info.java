// SPDX-License-Identifier: Apache-2.0
/// What is checked and measured of collectives on a GPU, by hand, on a machine that has one.
@NullMarked
package dev.muster.bench.nccl;

import org.jspecify.annotations.NullMarked;
