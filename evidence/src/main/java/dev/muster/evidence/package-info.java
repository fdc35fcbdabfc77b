// SPDX-License-Identifier: Apache-2.0
/// The accuracy of predictions, and corrections of plans by measured runs.
@NullMarked
package dev.muster.evidence;

import org.jspecify.annotations.NullMarked;
