// SPDX-License-Identifier: Apache-2.0
/// What is asked of a plan to serve a model, and what it says.
@NullMarked
package dev.muster.plan.serving;

import org.jspecify.annotations.NullMarked;
