// SPDX-License-Identifier: Apache-2.0
/// The topology of machines: as a matrix, as a tree, as a picture.
@NullMarked
package dev.muster.report.topology;

import org.jspecify.annotations.NullMarked;
