// SPDX-License-Identifier: Apache-2.0
/// The activity of a host while it is watched: its load, its processes. For `top` and the server; not exported.
@NullMarked
package dev.muster.detect.activity;

import org.jspecify.annotations.NullMarked;
