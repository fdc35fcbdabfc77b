// SPDX-License-Identifier: Apache-2.0
/// Pictures of plans, meshes and benchmarks.
@NullMarked
package dev.muster.report.picture;

import org.jspecify.annotations.NullMarked;
