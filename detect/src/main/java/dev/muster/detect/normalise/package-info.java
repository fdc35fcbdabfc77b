// SPDX-License-Identifier: Apache-2.0
/// Makes one registry of what the probes say: devices that several sources saw become one, with listed conflicts.
@NullMarked
package dev.muster.detect.normalise;

import org.jspecify.annotations.NullMarked;
