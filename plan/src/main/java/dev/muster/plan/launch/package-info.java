// SPDX-License-Identifier: Apache-2.0
/// Commands and files that start a plan with the programs that people run: engines that serve models,
/// programs that train them, schedulers that start either. What those programs call their options is
/// data, with the release it was read from; nothing here starts anything.
@NullMarked
package dev.muster.plan.launch;

import org.jspecify.annotations.NullMarked;
