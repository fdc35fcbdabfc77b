// SPDX-License-Identifier: Apache-2.0
/// What devices really reach, as somebody measured it, and the document that keeps it. The planner takes these rates
/// before those of data sheets.
@NullMarked
package dev.muster.core.measure;

import org.jspecify.annotations.NullMarked;
