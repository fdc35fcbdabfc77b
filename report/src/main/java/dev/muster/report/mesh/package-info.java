// SPDX-License-Identifier: Apache-2.0
/// Meshes as text and documents: shape, groups, placement, benchmarks, rehearsals and calibrations.
@NullMarked
package dev.muster.report.mesh;

import org.jspecify.annotations.NullMarked;
