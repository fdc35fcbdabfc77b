// SPDX-License-Identifier: Apache-2.0
/// The terminal that a person sits at while something is drawn again and again: its size and its keys.
@NullMarked
package dev.muster.cli.terminal;

import org.jspecify.annotations.NullMarked;
