// SPDX-License-Identifier: Apache-2.0
/// Plans over a fleet: [FleetPlanner] finds the hosts that a model is served or trained on, or how many replicas of
/// several models fit.
@NullMarked
package dev.muster.fleet.plan;

import org.jspecify.annotations.NullMarked;
