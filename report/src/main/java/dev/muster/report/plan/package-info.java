// SPDX-License-Identifier: Apache-2.0
/// Models, what they take and what they cost, for people and for machines.
@NullMarked
package dev.muster.report.plan;

import org.jspecify.annotations.NullMarked;
