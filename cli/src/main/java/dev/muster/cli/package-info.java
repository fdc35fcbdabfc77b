// SPDX-License-Identifier: Apache-2.0
/// The command line: arguments, commands, wiring. Everything else of the process (streams, environment, clock, exit
/// codes) is touched here and nowhere below.
@NullMarked
package dev.muster.cli;

import org.jspecify.annotations.NullMarked;
