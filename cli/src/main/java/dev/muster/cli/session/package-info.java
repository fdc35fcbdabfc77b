// SPDX-License-Identifier: Apache-2.0
/// A run of the program: the machine that is asked, files that are read, and output.
@NullMarked
package dev.muster.cli.session;

import org.jspecify.annotations.NullMarked;
