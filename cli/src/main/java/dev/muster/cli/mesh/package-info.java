// SPDX-License-Identifier: Apache-2.0
/// The words of `muster mesh`, and `muster calibrate`.
@NullMarked
package dev.muster.cli.mesh;

import org.jspecify.annotations.NullMarked;
