// SPDX-License-Identifier: Apache-2.0
/// The search for the best way to serve or train a model on devices: every layout is tried, each with its memory and
/// its speed, and the reasons against the others are kept. Which devices there are, and what their figures rest on,
/// is found here too.
@NullMarked
package dev.muster.plan.search;

import org.jspecify.annotations.NullMarked;
