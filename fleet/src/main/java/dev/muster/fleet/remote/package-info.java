// SPDX-License-Identifier: Apache-2.0
/// Hosts that are asked themselves: by `muster serve` there, or by the system's ssh.
@NullMarked
package dev.muster.fleet.remote;

import org.jspecify.annotations.NullMarked;
