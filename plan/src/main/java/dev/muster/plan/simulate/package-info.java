// SPDX-License-Identifier: Apache-2.0
/// A simulator of serving under load: requests arrive, an engine schedules them step by step, and the clients'
/// figures are counted. Discrete events in whole ticks; steps between two events are summed in one go.
@NullMarked
package dev.muster.plan.simulate;

import org.jspecify.annotations.NullMarked;
