// SPDX-License-Identifier: Apache-2.0
/// The assertions of engine releases, as data: supported models, devices, weight formats and layouts.
@NullMarked
package dev.muster.plan.engine;

import org.jspecify.annotations.NullMarked;
