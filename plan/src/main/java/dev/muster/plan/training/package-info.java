// SPDX-License-Identifier: Apache-2.0
/// Requests for training plans, and the plans.
@NullMarked
package dev.muster.plan.training;

import org.jspecify.annotations.NullMarked;
