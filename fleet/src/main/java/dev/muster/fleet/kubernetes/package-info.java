// SPDX-License-Identifier: Apache-2.0
/// Hosts of a Kubernetes cluster as its API server tells of them: nodes, the pods that hold their devices, and
/// the ResourceSlices of drivers that offer devices one by one. Nothing is ever changed there.
@NullMarked
package dev.muster.fleet.kubernetes;

import org.jspecify.annotations.NullMarked;
