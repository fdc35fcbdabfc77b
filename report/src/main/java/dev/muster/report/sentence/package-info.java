// SPDX-License-Identifier: Apache-2.0
/// The only text of reasons, remedies and notes.
@NullMarked
package dev.muster.report.sentence;

import org.jspecify.annotations.NullMarked;
