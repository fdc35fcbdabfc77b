// SPDX-License-Identifier: Apache-2.0
/// What plans of serving and of training have in common: their devices, answers, notes, estimates and memory.
@NullMarked
package dev.muster.plan.answer;

import org.jspecify.annotations.NullMarked;
