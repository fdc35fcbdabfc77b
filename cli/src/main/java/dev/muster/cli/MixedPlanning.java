package dev.muster.cli;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import dev.muster.core.measure.CalibrationDocument;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.DeviceEntry;
import dev.muster.plan.search.HostLinks;
import dev.muster.plan.search.HostMemory;
import dev.muster.plan.search.MixedDevice;
import dev.muster.plan.search.MixedPlan;
import dev.muster.plan.search.MixedSearch;
import dev.muster.plan.search.ServingAnswer;
import dev.muster.plan.search.ServingLimits;
import dev.muster.plan.search.ServingPlan;
import dev.muster.plan.search.ServingRequest;
import dev.muster.plan.search.ServingSoftware;
import dev.muster.plan.time.CoefficientTable;
import dev.muster.plan.time.DeviceFamily;
import dev.muster.plan.time.DeviceFigures;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The planner of `muster plan` where cards are of several kinds, or the host may hold a part of the model.
final class MixedPlanning {
    static final OptionSpec OFFLOAD = OptionSpec.flag(
            "offload", "llama.cpp may leave layers and experts in the memory of the host that fit nowhere else");
    static final List<OptionSpec> OPTIONS = List.of(OFFLOAD, HostMemoryFacts.HOST_BANDWIDTH);

    private static final Set<DeviceFamily> SHARED = Set.of(DeviceFamily.NVIDIA_SHARED, DeviceFamily.APPLE);
    private static final double GIGA = 1e9;
    /// Sums over layers are rounded elsewhere than sums over the whole model: less than this is no difference.
    private static final double ROUNDING = 1e-6;

    private MixedPlanning() {}

    /// A split over unlike devices and what stands behind it.
    ///
    /// @param plans the best first
    /// @param host what the host offers
    record Found(List<MixedPlan> plans, HostMemory host) {}

    /// A split that is better than the best plan on devices of one kind, or that fits where none does.
    ///
    /// Held to the same limits; a budget rules it out, for nobody rents such a mixture.
    ///
    /// @param answer the best on devices of one kind
    /// @throws UsageException if options make no sense
    /// @throws CommandException if the host should help and nothing is known of it
    static Optional<Found> find(
            Arguments arguments,
            Session session,
            AcceleratorRegistry registry,
            ServingRequest request,
            ServingAnswer answer) {
        if (arguments.has(HostMemoryFacts.HOST_BANDWIDTH) && !arguments.has(OFFLOAD)) {
            throw new UsageException("--host-bandwidth is for --offload, which is not asked for");
        }
        Optional<CalibrationDocument> measured = MeasuredHere.load(arguments, session);
        List<MixedDevice> devices = devices(registry, Catalogues.devices(arguments), measured);
        boolean isLlamaCpp = isLlamaCpp(arguments, request, devices);
        if (arguments.has(OFFLOAD) && !isLlamaCpp) {
            throw new UsageException("--offload is what llama.cpp can do; ask for it with --engine llama.cpp");
        }
        boolean isMixed =
                devices.stream().map(device -> device.figures().id()).distinct().count() > 1;
        if (!isLlamaCpp
                || devices.isEmpty()
                || !(isMixed || arguments.has(OFFLOAD))
                || hasManyHosts(arguments, registry)) {
            return Optional.empty();
        }
        HostMemory host = arguments.has(OFFLOAD) ? host(arguments, registry, devices, measured) : HostMemory.NONE;
        List<MixedPlan> plans = MixedSearch.of(CoefficientTable.builtIn())
                .find(request, devices, host)
                .find()
                .orElse(List.of());
        return plans.isEmpty() || !isBetter(plans.getFirst(), answer, request)
                ? Optional.empty()
                : Optional.of(new Found(plans, host));
    }

    private static boolean isLlamaCpp(Arguments arguments, ServingRequest request, List<MixedDevice> devices) {
        return ServingPlanning.engine(arguments, request)
                .map(engine -> engine == ServingSoftware.LLAMA_CPP)
                .orElseGet(() -> devices.stream()
                        .map(device -> ServingSoftware.usual(device.figures().family()))
                        .allMatch(usual -> usual.equals(Optional.of(ServingSoftware.LLAMA_CPP))));
    }

    private static boolean hasManyHosts(Arguments arguments, AcceleratorRegistry registry) {
        return HostNetwork.hosts(arguments) * HostLinks.machines(registry) > 1;
    }

    /// Each device as itself: two of a kind may have unlike memory left, or slots of unlike speed.
    private static List<MixedDevice> devices(
            AcceleratorRegistry registry, DeviceCatalogue catalogue, Optional<CalibrationDocument> measured) {
        List<MixedDevice> devices = new ArrayList<>();
        for (AcceleratorProfile profile : registry.available()) {
            boolean isWhole = profile.partition().isEmpty() && !HostMemoryFacts.isProcessor(profile);
            Optional<DeviceEntry> entry = isWhole ? catalogue.match(profile) : Optional.empty();
            entry.ifPresent(known -> devices.add(device(profile, known, measured)));
        }
        return devices;
    }

    private static MixedDevice device(
            AcceleratorProfile profile, DeviceEntry entry, Optional<CalibrationDocument> measured) {
        DeviceFigures sheet = DeviceFigures.of(entry);
        double memory = profile.memory().find().map(Bytes::toDouble).orElse(sheet.memory());
        DeviceFigures figures = sheet.withMemory(Math.min(sheet.memory(), memory));
        Optional<DeviceFigures> better =
                measured.flatMap(document -> MeasuredHere.apply(figures, List.of(profile), document));
        MixedDevice device = MixedDevice.of(better.orElse(figures), entry.name());
        return profile.reading(DeviceFact.PCIE_BANDWIDTH)
                .find()
                .map(Bandwidth::gigabytesPerSecond)
                .filter(rate -> rate > 0)
                .map(rate -> new MixedDevice(device.figures(), device.name(), rate * GIGA))
                .orElse(device);
    }

    private static HostMemory host(
            Arguments arguments,
            AcceleratorRegistry registry,
            List<MixedDevice> devices,
            Optional<CalibrationDocument> measured) {
        for (MixedDevice device : devices) {
            if (SHARED.contains(device.figures().family())) {
                throw new CommandException("--offload: " + device.name()
                        + " has no memory but the host's, so there is nothing to leave there");
            }
        }
        double usable = HostMemoryFacts.usable(registry)
                .orElseThrow(() -> new CommandException("--offload: nothing is known of the host's memory; a"
                        + " made-up host has what cpu:64GiB says in its brackets"));
        HostMemoryFacts.Rate rate = HostMemoryFacts.rate(arguments, registry, measured)
                .orElseThrow(() -> new CommandException("--offload: nobody measured how fast this host's memory"
                        + " is; do so with 'muster calibrate --cpu', or say it, as in --host-bandwidth 60"));
        return new HostMemory(usable, rate.bytesPerSecond(), rate.basis());
    }

    private static boolean isBetter(MixedPlan plan, ServingAnswer answer, ServingRequest request) {
        ServingLimits limits = request.limits();
        if (plan.firstToken().p50() > limits.firstToken()
                || plan.perToken().p50() > limits.perToken()
                || limits.hasBudget()) {
            return false;
        }
        return switch (answer) {
            case ServingAnswer.Infeasible _ -> true;
            case ServingAnswer.Feasible(ServingPlan best, var _) ->
                switch (request.goal()) {
                    case THROUGHPUT ->
                        plan.tokensPerSecond().p50() > best.tokensPerSecond().p50() * (1 + ROUNDING);
                    case LATENCY -> plan.perToken().p50() < best.perToken().p50() * (1 - ROUNDING);
                    case DEVICES -> plan.devices() < best.devices();
                    case MEMORY -> fullest(plan) < best.memory().total();
                    // Nobody rents such a mixture, and what it draws was never measured.
                    case COST, ENERGY -> false;
                };
        };
    }

    private static double fullest(MixedPlan plan) {
        return plan.placements().stream()
                .filter(placement -> !placement.isHost())
                .mapToDouble(placement -> placement.memory().total())
                .max()
                .orElse(0);
    }
}
