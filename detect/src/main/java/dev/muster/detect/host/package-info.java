// SPDX-License-Identifier: Apache-2.0
/// The way to a host. Probes reach files only through here, so that they can be pointed at another root.
@NullMarked
package dev.muster.detect.host;

import org.jspecify.annotations.NullMarked;
