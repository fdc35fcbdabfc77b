// SPDX-License-Identifier: Apache-2.0
/// `muster serve`: one [MusterServer] answers from what a sampler saw last, so that no request makes a tool run.
/// [AccessRules] say who is answered, [Routes] what; answers are values, and one class writes them.
@NullMarked
package dev.muster.server;

import org.jspecify.annotations.NullMarked;
