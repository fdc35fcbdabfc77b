// SPDX-License-Identifier: Apache-2.0
/// The update of the model catalogue from configurations of models.
@NullMarked
package dev.muster.bench.models;

import org.jspecify.annotations.NullMarked;
