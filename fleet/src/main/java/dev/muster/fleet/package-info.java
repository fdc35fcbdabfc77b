// SPDX-License-Identifier: Apache-2.0
/// Many hosts as one: a [FleetSource] reads what a cluster already runs, a [Fleet] makes one
/// view of what sources say and lists where they contradict each other.
@NullMarked
package dev.muster.fleet;

import org.jspecify.annotations.NullMarked;
