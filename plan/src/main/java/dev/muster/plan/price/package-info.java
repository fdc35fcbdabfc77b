// SPDX-License-Identifier: Apache-2.0
/// Price lists of others, read into the price catalogue.
@NullMarked
package dev.muster.plan.price;

import org.jspecify.annotations.NullMarked;
