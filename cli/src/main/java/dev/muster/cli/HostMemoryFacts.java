package dev.muster.cli;

import dev.muster.cli.render.Printable;
import dev.muster.core.AcceleratorFamily;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.measure.CalibrationDocument;
import dev.muster.core.measure.MeasuredDevice;
import dev.muster.core.measure.MeasuredQuantity;
import dev.muster.core.measure.Measurement;
import dev.muster.core.unit.Bytes;
import dev.muster.plan.memory.ModelFit;
import java.util.Optional;

/// What the memory of a host offers to models: how much of it, and how fast.
final class HostMemoryFacts {
    static final OptionSpec HOST_BANDWIDTH = OptionSpec.value(
            "host-bandwidth",
            "GB/S",
            "how fast that memory is read, in 10^9 bytes per second; else as 'calibrate --cpu' measured it");

    private static final double GIGA = 1e9;
    private static final int MAX_BANDWIDTH = 100_000;
    private static final int MAX_DIGITS = 12;

    private HostMemoryFacts() {}

    /// How fast it is read.
    ///
    /// @param bytesPerSecond the rate
    /// @param basis where it comes from, for people
    record Rate(double bytesPerSecond, String basis) {}

    /// What models may take of the memory of all hosts of a registry; empty where nothing is known of it.
    static Optional<Double> usable(AcceleratorRegistry registry) {
        double bytes = registry.available().stream()
                .filter(HostMemoryFacts::isProcessor)
                .flatMap(profile -> profile.memory().find().stream())
                .mapToDouble(Bytes::toDouble)
                .sum();
        return bytes == 0
                ? Optional.empty()
                : Optional.of(Math.max(0, ModelFit.USED_SHARE * bytes - ModelFit.RESERVE.toDouble()));
    }

    /// How fast it is read, as given or measured.
    ///
    /// @throws UsageException if what is given is no rate
    static Optional<Rate> rate(
            Arguments arguments, AcceleratorRegistry registry, Optional<CalibrationDocument> measured) {
        return arguments
                .find(HOST_BANDWIDTH)
                .map(text -> new Rate(bytesPerSecond(HOST_BANDWIDTH, text), "as given"))
                .or(() -> copies(registry, measured).map(rate -> new Rate(rate, "as 'muster calibrate' measured it")));
    }

    private static Optional<Double> copies(AcceleratorRegistry registry, Optional<CalibrationDocument> measured) {
        return registry.available().stream()
                .filter(HostMemoryFacts::isProcessor)
                .flatMap(profile ->
                        measured.stream().flatMap(document -> document.find(MeasuredDevice.of(profile)).stream()))
                .flatMap(device -> device.find(MeasuredQuantity.MEMORY_COPY).stream())
                .map(Measurement::value)
                .findFirst();
    }

    static boolean isProcessor(AcceleratorProfile profile) {
        return profile.accelerator().kind().family() == AcceleratorFamily.CPU;
    }

    /// A rate in GB/s.
    ///
    /// @throws UsageException if it is none
    static double bytesPerSecond(OptionSpec option, String text) {
        boolean plain = text.length() <= MAX_DIGITS && text.matches("[0-9]+(\\.[0-9]+)?");
        double rate = plain ? Double.parseDouble(text) : 0;
        if (rate > 0 && rate <= MAX_BANDWIDTH) {
            return GIGA * rate;
        }
        throw new UsageException("--" + option.name() + " is a number of GB/s above 0 and up to " + MAX_BANDWIDTH
                + ", not '" + Printable.of(text) + "'");
    }
}
