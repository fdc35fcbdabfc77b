// SPDX-License-Identifier: Apache-2.0
/// Finds the best way to serve or train a model on devices: every layout is tried, each with its memory and its speed,
/// and those that lose say why. Which devices there are, and what their figures rest on, is found here too.
@NullMarked
package dev.muster.plan.search;

import org.jspecify.annotations.NullMarked;
