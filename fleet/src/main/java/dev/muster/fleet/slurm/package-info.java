// SPDX-License-Identifier: Apache-2.0
/// Slurm as a source of hosts: what `scontrol` prints and what `slurmrestd` answers, of the releases 20.11 to
/// 25.11. Text becomes nodes, jobs, reservations and switches first; [dev.muster.fleet.HostReport] is made of
/// those.
@NullMarked
package dev.muster.fleet.slurm;

import org.jspecify.annotations.NullMarked;
