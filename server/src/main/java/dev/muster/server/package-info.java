// SPDX-License-Identifier: Apache-2.0
/// The server of `muster serve`: one [MusterServer] answers from a sampler's last sample, so that no request makes a
/// tool run. [AccessRules] control access, [Routes] lists the endpoints; answers are values, and one class writes
/// them.
@NullMarked
package dev.muster.server;

import org.jspecify.annotations.NullMarked;
