// SPDX-License-Identifier: Apache-2.0
/// Options and their grammar: the table of an option, the words of a call, and their faults.
@NullMarked
package dev.muster.cli.option;

import org.jspecify.annotations.NullMarked;
