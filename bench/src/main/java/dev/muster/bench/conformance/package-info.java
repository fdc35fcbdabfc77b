// SPDX-License-Identifier: Apache-2.0
/// Runs recorded questions and answers of ai-hwaccel 1.2.0 (JSON Lines) against Muster.
@NullMarked
package dev.muster.bench.conformance;

import org.jspecify.annotations.NullMarked;
