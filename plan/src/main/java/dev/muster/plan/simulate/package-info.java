// SPDX-License-Identifier: Apache-2.0
/// Serving under load, played through: requests arrive, an engine schedules them step by step, and what clients see is
/// counted. Discrete events in whole ticks; steps between two events are summed in one go.
@NullMarked
package dev.muster.plan.simulate;

import org.jspecify.annotations.NullMarked;
