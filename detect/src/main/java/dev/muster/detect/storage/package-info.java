// SPDX-License-Identifier: Apache-2.0
/// The drives of a host.
@NullMarked
package dev.muster.detect.storage;

import org.jspecify.annotations.NullMarked;
