// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.picture;

import java.util.List;

/// The content of a plan's picture.
///
/// @param title model and task
/// @param facts sentences below it
/// @param placement content of each device
/// @param charts rooflines of devices; none if the plan does not fit, or devices are of several kinds
record PlanScene(String title, List<String> facts, Placement placement, List<RooflineChart> charts) {}
