// SPDX-License-Identifier: Apache-2.0
/// The environment of the process: container, control group, Kubernetes, Slurm, cloud; and the devices granted to it.
@NullMarked
package dev.muster.detect.environment;

import org.jspecify.annotations.NullMarked;
