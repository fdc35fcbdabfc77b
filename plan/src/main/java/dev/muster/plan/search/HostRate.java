// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import dev.muster.core.AcceleratorFamily;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import dev.muster.core.Provenance;
import dev.muster.core.Provenance.Confidence;
import dev.muster.core.Provenance.Method;
import dev.muster.core.Reading;
import dev.muster.core.measure.CalibrationDocument;
import dev.muster.core.measure.MeasuredDevice;
import dev.muster.core.measure.MeasuredQuantity;
import dev.muster.core.measure.Measurement;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import java.util.Optional;

/// The rate at which the memory of a host is read: as given, as measured, as detected, or the usual one.
///
/// @param reading the rate with its source
public record HostRate(Reading<Bandwidth> reading) {
    /// One channel of DDR4-2666 as servers of the last ten years have them.
    private static final double CHANNEL = 21.3;
    /// Two such channels, as desktops have: an assumption.
    private static final double DESKTOP = 2 * CHANNEL;

    private static final double GIGA = 1e9;
    /// The share of the host's memory for models, beside the system and its programs.
    private static final double USED_SHARE = 0.9;

    private static final double RESERVE = 1L << 30;

    /// Returns the rate of a registry's host.
    ///
    /// @param given as stated by the user
    public static HostRate of(
            AcceleratorRegistry registry, Optional<CalibrationDocument> measured, Optional<Bandwidth> given) {
        if (given.isPresent()) {
            return new HostRate(Reading.known(given.get(), Provenance.GIVEN));
        }
        Optional<AcceleratorProfile> cpu = registry.available().stream()
                .filter(profile -> profile.accelerator().family() == AcceleratorFamily.CPU)
                .findFirst();
        // Copies stand for reads in older measurements.
        Optional<Double> reads = cpu.flatMap(
                        profile -> measured.flatMap(document -> document.find(MeasuredDevice.of(profile))))
                .flatMap(device ->
                        device.find(MeasuredQuantity.MEMORY_READ).or(() -> device.find(MeasuredQuantity.MEMORY_COPY)))
                .map(Measurement::median);
        if (reads.isPresent()) {
            return known(reads.get() / GIGA, "muster calibrate", Method.NATIVE, Confidence.MEASURED);
        }
        Reading<Bandwidth> detected =
                cpu.map(AcceleratorProfile::memoryBandwidth).orElse(Reading.notProbed());
        if (detected.isKnown()) {
            return new HostRate(detected);
        }
        return cpu.flatMap(
                        profile -> profile.reading(DeviceFact.MEMORY_CHANNELS).find())
                .map(channels -> known(channels * CHANNEL, "channels of DDR4-2666", Method.DERIVED, Confidence.ASSUMED))
                .orElseGet(() -> known(DESKTOP, "two channels of DDR4-2666", Method.DERIVED, Confidence.ASSUMED));
    }

    private static HostRate known(double gigabytes, String source, Method method, Confidence confidence) {
        return new HostRate(Reading.known(new Bandwidth(gigabytes), Provenance.of(source, method, confidence)));
    }

    /// Returns the bytes per second.
    public double bytesPerSecond() {
        return reading.find().orElseThrow().gigabytesPerSecond() * GIGA;
    }

    /// Reports whether it was neither given nor measured.
    public boolean isAssumed() {
        return reading instanceof Reading.Known<Bandwidth>(var _, Provenance source)
                && source.confidence() == Confidence.ASSUMED;
    }

    public String basis() {
        return reading instanceof Reading.Known<Bandwidth>(var _, Provenance source)
                ? switch (source.method()) {
                    case GIVEN -> "as given";
                    case NATIVE, FILE, COMMAND -> "as measured (" + source.source() + ")";
                    case ENVIRONMENT, DOCUMENT, CATALOGUE, DERIVED -> "assumed (" + source.source() + ")";
                }
                : "";
    }

    /// Returns the memory for models on all hosts of a registry; empty if it is unknown.
    public static Optional<Double> usableBytes(AcceleratorRegistry registry) {
        double bytes = registry.available().stream()
                .filter(profile -> profile.accelerator().family() == AcceleratorFamily.CPU)
                .flatMap(profile -> profile.memory().find().stream())
                .mapToDouble(Bytes::toDouble)
                .sum();
        return bytes == 0 ? Optional.empty() : Optional.of(Math.max(0, USED_SHARE * bytes - RESERVE));
    }
}
