// SPDX-License-Identifier: Apache-2.0
/// Commands and files that start a plan with serving engines, training programs, or schedulers that start either. The
/// options of those programs are data, with the release they were read from; nothing here starts anything.
@NullMarked
package dev.muster.plan.launch;

import org.jspecify.annotations.NullMarked;
