// SPDX-License-Identifier: Apache-2.0
/// Where the process runs: container, control group, Kubernetes, Slurm, cloud; and which devices it is granted.
@NullMarked
package dev.muster.detect.environment;

import org.jspecify.annotations.NullMarked;
