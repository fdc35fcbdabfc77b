// SPDX-License-Identifier: Apache-2.0
/// Work that reads files of a host and always ends in time.
@NullMarked
package dev.muster.detect.timed;

import org.jspecify.annotations.NullMarked;
