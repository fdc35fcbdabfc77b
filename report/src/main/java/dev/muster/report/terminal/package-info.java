// SPDX-License-Identifier: Apache-2.0
/// Reports in their printed forms, and the terminals that they are printed on.
@NullMarked
package dev.muster.report.terminal;

import org.jspecify.annotations.NullMarked;
