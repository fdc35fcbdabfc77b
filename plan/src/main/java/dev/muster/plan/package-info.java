// SPDX-License-Identifier: Apache-2.0
/// [Planner]: the planning of models on the devices of a registry, and the documents of its answers.
@NullMarked
package dev.muster.plan;

import org.jspecify.annotations.NullMarked;
