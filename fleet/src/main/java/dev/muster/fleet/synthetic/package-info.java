// SPDX-License-Identifier: Apache-2.0
/// Made-up fleets for tests and for trying out commands.
@NullMarked
package dev.muster.fleet.synthetic;

import org.jspecify.annotations.NullMarked;
