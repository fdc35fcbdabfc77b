// SPDX-License-Identifier: Apache-2.0
/// Commands that follow a machine: `watch`, `top` and `serve`.
@NullMarked
package dev.muster.cli.live;

import org.jspecify.annotations.NullMarked;
