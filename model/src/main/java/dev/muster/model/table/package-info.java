// SPDX-License-Identifier: Apache-2.0
/// Tables of comma-separated values, with errors that name line and column.
@NullMarked
package dev.muster.model.table;

import org.jspecify.annotations.NullMarked;
