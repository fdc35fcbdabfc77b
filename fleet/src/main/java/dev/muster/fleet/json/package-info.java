// SPDX-License-Identifier: Apache-2.0
/// JSON of servers that may be long and in which almost everything may be missing; for the other packages of
/// this module.
@NullMarked
package dev.muster.fleet.json;

import org.jspecify.annotations.NullMarked;
