// SPDX-License-Identifier: Apache-2.0
/// The rules of this source tree: how it is formatted, who may know whom, and that the analyses of the build are alive.
@NullMarked
package dev.muster.checks;

import org.jspecify.annotations.NullMarked;
