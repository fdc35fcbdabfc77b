// SPDX-License-Identifier: Apache-2.0
/// Ranks that a command starts for itself: threads of this process, or processes that run one of its classes.
@NullMarked
package dev.muster.cli.ranks;

import org.jspecify.annotations.NullMarked;
