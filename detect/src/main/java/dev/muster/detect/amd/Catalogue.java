package dev.muster.detect.amd;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bandwidth;
import dev.muster.detect.host.FileOutcome;
import dev.muster.detect.probe.ProbeContext;
import java.util.List;
import java.util.Optional;

/// Completes profiles by what is known of a model: its name, its memory. Confined to one thread.
final class Catalogue {
    /// Where distributions, and AMD's own packages, put libdrm's list.
    private static final List<String> LISTS =
            List.of("/usr/share/libdrm/amdgpu.ids", "/opt/amdgpu/share/libdrm/amdgpu.ids");
    private static final int MAX_LIST = 1 << 20;

    private final ProbeContext context;

    Catalogue(ProbeContext context) {
        this.context = context;
    }

    /// Adds what the profile does not say yet; a name that only the board's maker gave yields to a known one.
    ///
    /// @param revision the device's revision; [AmdModels#NO_REVISION] where it is not known
    AcceleratorProfile complete(AcceleratorProfile profile, int revision) {
        AcceleratorProfile.Builder builder = profile.toBuilder();
        profile.reading(DeviceFact.COMPUTE_CAPABILITY)
                .find()
                .flatMap(AmdModels::findArchitecture)
                .ifPresent(name -> builder.with(
                        DeviceFact.ARCHITECTURE, Reading.known(name, ProbeContext.fromCatalogue("LLVM targets"))));
        Optional<Integer> device = device(profile);
        if (device.isEmpty()) {
            return builder.build();
        }
        Provenance source = ProbeContext.fromCatalogue(AmdModels.NAME);
        findName(device.get(), revision)
                .or(() -> profile.deviceName().isKnown()
                        ? Optional.of(profile.deviceName())
                        : AmdModels.findChip(device.get()).map(name -> Reading.known(name, source)))
                .ifPresent(name -> builder.with(DeviceFact.DEVICE_NAME, name));
        AmdModels.find(device.get(), revision).ifPresent(model -> addMemory(profile, builder, model, source));
        return builder.build();
    }

    /// Whether the model is known to be part of a processor.
    boolean isInProcessor(AcceleratorProfile profile) {
        return device(profile).flatMap(AmdModels::find).filter(AmdModel::shared).isPresent();
    }

    /// The rate of all XGMI links of the model, one way.
    Optional<Bandwidth> findFabricRate(AcceleratorProfile profile) {
        return device(profile).flatMap(AmdModels::find).flatMap(AmdModel::findFabricRate);
    }

    private static Optional<Integer> device(AcceleratorProfile profile) {
        return profile.reading(DeviceFact.PCI_ID)
                .find()
                .filter(id -> id.startsWith("1002:"))
                .flatMap(id -> AmdText.hex16(id.substring("1002:".length())));
    }

    private Optional<Reading<String>> findName(int device, int revision) {
        for (String path : revision == AmdModels.NO_REVISION ? List.<String>of() : LISTS) {
            if (context.files().read(path, MAX_LIST) instanceof FileOutcome.Content(String text)) {
                Optional<String> name = AmdgpuIdsParser.find(text, device, revision);
                if (name.isPresent()) {
                    return Optional.of(Reading.known(name.get(), ProbeContext.fromCatalogue(path)));
                }
            }
        }
        return AmdModels.find(device, revision)
                .flatMap(AmdModel::findName)
                .map(name -> Reading.known(name, ProbeContext.fromCatalogue(AmdModels.NAME)));
    }

    private static void addMemory(
            AcceleratorProfile profile, AcceleratorProfile.Builder builder, AmdModel model, Provenance source) {
        if (!profile.reading(DeviceFact.MEMORY_TYPE).isKnown()) {
            model.findMemoryType().ifPresent(type -> builder.with(DeviceFact.MEMORY_TYPE, Reading.known(type, source)));
        }
        if (profile.memoryBandwidth().isKnown()) {
            return;
        }
        Optional<Bandwidth> computed =
                profile.reading(DeviceFact.MEMORY_CLOCK_MAX).find().flatMap(model::findRate);
        Provenance derived = Provenance.of(
                "memory clock, " + AmdModels.NAME, Provenance.Method.DERIVED, Provenance.Confidence.STATED);
        computed.map(rate -> Reading.known(rate, derived))
                .or(() -> model.findStatedRate().map(rate -> Reading.known(rate, source)))
                .ifPresent(rate -> builder.with(DeviceFact.MEMORY_BANDWIDTH, rate));
    }
}
