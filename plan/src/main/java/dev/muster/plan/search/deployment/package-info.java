// SPDX-License-Identifier: Apache-2.0
/// The search for the cheapest deployment that keeps targets under load.
@NullMarked
package dev.muster.plan.search.deployment;

import org.jspecify.annotations.NullMarked;
