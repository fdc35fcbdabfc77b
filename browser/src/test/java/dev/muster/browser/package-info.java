// SPDX-License-Identifier: Apache-2.0
/// The page in Chromium, as people see it.
@NullMarked
package dev.muster.browser;

import org.jspecify.annotations.NullMarked;
