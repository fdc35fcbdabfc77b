// SPDX-License-Identifier: Apache-2.0
/// `muster mesh bench`: what its rank processes do, and how their figures are shown.
@NullMarked
package dev.muster.cli.bench;

import org.jspecify.annotations.NullMarked;
