// SPDX-License-Identifier: Apache-2.0
/// What is asked of a plan to train a model, and what it says.
@NullMarked
package dev.muster.plan.training;

import org.jspecify.annotations.NullMarked;
