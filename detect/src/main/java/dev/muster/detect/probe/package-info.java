// SPDX-License-Identifier: Apache-2.0
/// What a probe is, what it gets and what it reports: everything that somebody who adds devices of another vendor
/// implements or calls. Detection itself is wired elsewhere.
@NullMarked
package dev.muster.detect.probe;

import org.jspecify.annotations.NullMarked;
