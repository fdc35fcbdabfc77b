// SPDX-License-Identifier: Apache-2.0
/// The common parts of serving and training plans: devices, answers, notes, estimates and memory.
@NullMarked
package dev.muster.plan.answer;

import org.jspecify.annotations.NullMarked;
