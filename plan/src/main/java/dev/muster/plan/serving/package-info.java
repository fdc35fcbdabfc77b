// SPDX-License-Identifier: Apache-2.0
/// Requests for serving plans, and the plans.
@NullMarked
package dev.muster.plan.serving;

import org.jspecify.annotations.NullMarked;
