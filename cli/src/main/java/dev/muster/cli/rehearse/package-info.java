// SPDX-License-Identifier: Apache-2.0
/// `muster mesh rehearse` and `muster calibrate --mesh`: what their rank processes do, how a plan becomes a
/// rehearsal, and how figures are shown.
@NullMarked
package dev.muster.cli.rehearse;

import org.jspecify.annotations.NullMarked;
