// SPDX-License-Identifier: Apache-2.0
/// Forms of text that several modules of Muster read; no part of its API.
@NullMarked
package dev.muster.core.text;

import org.jspecify.annotations.NullMarked;
