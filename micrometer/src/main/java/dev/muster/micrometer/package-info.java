// SPDX-License-Identifier: Apache-2.0
/// Devices of a host as meters of Micrometer: [MusterMetrics] binds them, for each sample of a sampler.
@NullMarked
package dev.muster.micrometer;

import org.jspecify.annotations.NullMarked;
