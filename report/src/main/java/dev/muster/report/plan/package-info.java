// SPDX-License-Identifier: Apache-2.0
/// Models, plans, fits and costs as text and as documents.
@NullMarked
package dev.muster.report.plan;

import org.jspecify.annotations.NullMarked;
