// SPDX-License-Identifier: Apache-2.0
/// Pictures of plans: which device holds what, and what limits its work.
@NullMarked
package dev.muster.report.picture;

import org.jspecify.annotations.NullMarked;
