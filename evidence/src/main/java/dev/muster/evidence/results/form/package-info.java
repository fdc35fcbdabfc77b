// SPDX-License-Identifier: Apache-2.0
/// Parts of the forms in which benchmarks write their results.
@NullMarked
package dev.muster.evidence.results.form;

import org.jspecify.annotations.NullMarked;
