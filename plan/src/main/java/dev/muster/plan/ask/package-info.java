// SPDX-License-Identifier: Apache-2.0
/// Questions to the planner: one table of parameters for every interface, and questions in which all defaults and
/// derivations are filled in.
@NullMarked
package dev.muster.plan.ask;

import org.jspecify.annotations.NullMarked;
