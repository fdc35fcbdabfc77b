// SPDX-License-Identifier: Apache-2.0
/// The table of fleet sources: text such as `slurm` or `kubernetes:prod` becomes a source.
@NullMarked
package dev.muster.fleet.source;

import org.jspecify.annotations.NullMarked;
