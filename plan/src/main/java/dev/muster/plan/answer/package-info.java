// SPDX-License-Identifier: Apache-2.0
/// Answers of planners: plans, shortfalls, remedies and notes.
@NullMarked
package dev.muster.plan.answer;

import org.jspecify.annotations.NullMarked;
