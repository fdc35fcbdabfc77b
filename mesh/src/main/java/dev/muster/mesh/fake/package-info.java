// SPDX-License-Identifier: Apache-2.0
/// One process that plays any rank of a mesh of any size: for planning, for measuring what a rank does
/// by itself, and for tests. Nothing is sent; what the others would have sent follows from a rule.
@NullMarked
package dev.muster.mesh.fake;

import org.jspecify.annotations.NullMarked;
