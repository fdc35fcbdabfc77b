// SPDX-License-Identifier: Apache-2.0
/// Devices arranged in a mesh: named dimensions, which rank stands where, who belongs to which group, on
/// which device each rank runs, and where requests go. Arithmetic alone: nothing here communicates.
@NullMarked
package dev.muster.mesh;

import org.jspecify.annotations.NullMarked;
