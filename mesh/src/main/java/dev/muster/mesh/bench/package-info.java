// SPDX-License-Identifier: Apache-2.0
/// Measures the operations of a group: how long calls take, whether their results are right, what garbage they leave.
@NullMarked
package dev.muster.mesh.bench;

import org.jspecify.annotations.NullMarked;
