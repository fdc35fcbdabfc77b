// SPDX-License-Identifier: Apache-2.0
/// Brings the price catalogue up to date from the price files that providers publish: a reader for each, which turns
/// text into prices and touches nothing else, the two ways to their answers (the net and a folder), and the update.
@NullMarked
package dev.muster.bench.prices;

import org.jspecify.annotations.NullMarked;
