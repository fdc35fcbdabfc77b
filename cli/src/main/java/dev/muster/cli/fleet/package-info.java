// SPDX-License-Identifier: Apache-2.0
/// The words of `muster fleet`, and its sources for other commands.
@NullMarked
package dev.muster.cli.fleet;

import org.jspecify.annotations.NullMarked;
