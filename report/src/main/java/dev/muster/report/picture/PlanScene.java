// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.picture;

import java.util.List;

/// Everything that the picture of a plan shows.
///
/// @param title the model and what is done with it
/// @param facts sentences below it
/// @param placement which device holds what
/// @param charts what limits devices; none where the plan does not fit, or devices are of several kinds
record PlanScene(String title, List<String> facts, Placement placement, List<RooflineChart> charts) {}
