// SPDX-License-Identifier: Apache-2.0
/// Devices of a host as instruments of OpenTelemetry, by the names of its semantic conventions: [MusterInstruments].
@NullMarked
package dev.muster.opentelemetry;

import org.jspecify.annotations.NullMarked;
