// SPDX-License-Identifier: Apache-2.0
/// The search for the best way to train.
@NullMarked
package dev.muster.plan.search.training;

import org.jspecify.annotations.NullMarked;
