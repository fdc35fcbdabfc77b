// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import dev.muster.core.AcceleratorFamily;
import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.core.unit.Hertz;
import dev.muster.core.unit.OperationRate;
import dev.muster.model.table.CsvRow;
import dev.muster.model.table.CsvTable;
import dev.muster.plan.cost.DeviceFamily;
import dev.muster.plan.cost.DeviceFigures;
import java.util.Optional;
import java.util.Set;

/// Derives figures of devices in no catalogue from detected facts: units, clocks, bandwidth, instructions.
final class DerivedFigures {
    /// The least that cards of the last ten years compute for each byte that they read. An assumption.
    private static final double OPERATIONS_PER_BYTE = 25;

    private static final double USUAL_CORES = 8;
    private static final double USUAL_CLOCK = 2.5e9;
    private static final double USUAL_PER_CLOCK = 32;
    private static final double GIGA = 1e9;
    private static final double TERA = 1e12;

    private DerivedFigures() {}

    /// Returns the figures of a device of a registry. Facts that cannot be derived stay unknown. What cannot be
    /// derived stays unknown.
    static DeviceFigures of(AcceleratorProfile profile) {
        boolean isCpu = profile.accelerator().family() == AcceleratorFamily.CPU;
        String backend = profile.accelerator().text();
        DeviceFamily family = family(profile);
        return DeviceFigures.builder(profile.deviceName().find().orElse(backend), family)
                .memory(profile.usableMemory())
                .bandwidth(profile.memoryBandwidth())
                .half(isCpu ? ofCores(profile) : ofUnits(profile, backend))
                .instructions(Set.of(
                        profile.reading(DeviceFact.EXTENSIONS).find().orElse("").split(" ")))
                .power(isCpu ? Reading.unknown(UnknownReason.NOT_STATED) : profile.reading(DeviceFact.POWER_LIMIT))
                .computeCapability(computeCapability(profile))
                .build();
    }

    /// Other vendors name generations in words of their own.
    private static Reading<Double> computeCapability(AcceleratorProfile profile) {
        Reading<String> stated = profile.reading(DeviceFact.COMPUTE_CAPABILITY);
        boolean isNumber = profile.accelerator().kind() == AcceleratorKind.CUDA_GPU
                && stated.find()
                        .filter(text -> text.chars().allMatch(one -> one == '.' || Character.isDigit(one)))
                        .isPresent();
        return isNumber ? stated.map(Double::parseDouble) : Reading.unknown(UnknownReason.NOT_STATED);
    }

    private static DeviceFamily family(AcceleratorProfile profile) {
        boolean stacked = profile.reading(DeviceFact.MEMORY_TYPE).matches(type -> type.startsWith("HBM"));
        boolean shared = profile.sharesHostMemory();
        return switch (profile.accelerator().kind()) {
            case CUDA_GPU ->
                stacked ? DeviceFamily.NVIDIA_HBM : shared ? DeviceFamily.NVIDIA_SHARED : DeviceFamily.NVIDIA_GDDR;
            case ROCM_GPU -> stacked ? DeviceFamily.AMD_HBM : shared ? DeviceFamily.OTHER : DeviceFamily.AMD_GDDR;
            case METAL_GPU -> DeviceFamily.APPLE;
            case CPU -> DeviceFamily.CPU;
            case GAUDI -> DeviceFamily.GAUDI;
            case AWS_NEURON -> DeviceFamily.NEURON;
            case TPU -> DeviceFamily.TPU;
            default -> DeviceFamily.OTHER;
        };
    }

    private static Reading<OperationRate> ofUnits(AcceleratorProfile profile, String backend) {
        Optional<Long> units = profile.reading(DeviceFact.COMPUTE_UNITS).find();
        Optional<Hertz> clock = profile.reading(DeviceFact.CLOCK_MAX).find();
        Optional<CsvRow> row =
                profile.reading(DeviceFact.COMPUTE_CAPABILITY).find().flatMap(text -> row(backend, text));
        if (units.isPresent() && clock.isPresent() && row.isPresent()) {
            double rate = units.get() * (double) clock.get().value() * perClock(row.get());
            return derived(rate, "units, clock and " + row.get().require("source"));
        }
        return profile.memoryBandwidth()
                .find()
                .map(rate -> derived(
                        rate.gigabytesPerSecond() * GIGA * OPERATIONS_PER_BYTE,
                        "assumed from its bandwidth, " + Math.round(OPERATIONS_PER_BYTE) + " operations per byte"))
                .orElse(Reading.unknown(UnknownReason.NOT_STATED, "neither units and clock nor bandwidth are known"));
    }

    private static Reading<OperationRate> ofCores(AcceleratorProfile profile) {
        Optional<Long> cores = profile.reading(DeviceFact.COMPUTE_UNITS)
                .find()
                .or(() -> profile.reading(DeviceFact.THREADS).find());
        if (cores.isEmpty()) {
            return derived(USUAL_CORES * USUAL_CLOCK * USUAL_PER_CLOCK, "assumed: eight cores with AVX2");
        }
        double clock = profile.reading(DeviceFact.CLOCK_MAX)
                .find()
                .map(hertz -> (double) hertz.value())
                .orElse(USUAL_CLOCK);
        String extensions = " " + profile.reading(DeviceFact.EXTENSIONS).find().orElse("") + " ";
        double perClock = table().rows().stream()
                .filter(row ->
                        row.require("kind").equals("cpu") && extensions.contains(" " + row.require("prefix") + " "))
                .mapToDouble(DerivedFigures::perClock)
                .findFirst()
                .orElse(8);
        return derived(cores.get() * clock * perClock, "cores, clock and vector instructions");
    }

    private static Reading<OperationRate> derived(double operations, String how) {
        return Reading.known(
                new OperationRate(operations / TERA),
                Provenance.of(how, Provenance.Method.DERIVED, Provenance.Confidence.ASSUMED));
    }

    private static Optional<CsvRow> row(String backend, String capability) {
        return table().rows().stream()
                .filter(row -> row.require("kind").equals(backend) && capability.startsWith(row.require("prefix")))
                .findFirst();
    }

    private static double perClock(CsvRow row) {
        return Double.parseDouble(row.require("operations_per_clock"));
    }

    private static CsvTable table() {
        return CsvTable.parse(CsvTable.resource(DerivedFigures.class, "units.csv"));
    }
}
