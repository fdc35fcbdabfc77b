// SPDX-License-Identifier: Apache-2.0
/// Meshes for people and machines: shape, groups and placement as text and as a document.
@NullMarked
package dev.muster.report.mesh;

import org.jspecify.annotations.NullMarked;
