// SPDX-License-Identifier: Apache-2.0
/// Output for terminals and scripts: tables, YAML, CSV, units, colour. Renderers know values, not where they came
/// from.
@NullMarked
package dev.muster.report.text;

import org.jspecify.annotations.NullMarked;
