// SPDX-License-Identifier: Apache-2.0
/// How the parts of a machine are joined, for people: as a matrix, as a tree, as a picture.
@NullMarked
package dev.muster.report.topology;

import org.jspecify.annotations.NullMarked;
