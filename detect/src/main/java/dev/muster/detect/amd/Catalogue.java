// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.amd;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bandwidth;
import dev.muster.detect.host.HostAnswer;
import dev.muster.detect.probe.ProbeContext;
import java.util.List;
import java.util.Optional;

/// Completes profiles by what is known of a model: its name, its memory. Confined to one thread.
record Catalogue(ProbeContext context) {
    /// Paths at which distributions, and AMD's own packages, put libdrm's list.
    private static final List<String> LISTS =
            List.of("/usr/share/libdrm/amdgpu.ids", "/opt/amdgpu/share/libdrm/amdgpu.ids");
    private static final int MAX_LIST = 1 << 20;
    private static final int PARTS = 3;

    /// Adds what the profile does not say yet; a name that only the board's maker gave yields to a known one.
    ///
    /// @param revision the device's revision; [AmdModel#ANY] where it is not known
    AcceleratorProfile complete(AcceleratorProfile profile, int revision) {
        AcceleratorProfile.ProfileBuilder builder = profile.toBuilder();
        profile.reading(DeviceFact.COMPUTE_CAPABILITY)
                .find()
                .flatMap(AmdModel::findArchitecture)
                .ifPresent(name -> builder.with(
                        DeviceFact.ARCHITECTURE, Reading.known(name, ProbeContext.fromCatalogue("LLVM targets"))));
        Optional<Integer> device = device(profile);
        if (device.isEmpty()) {
            return builder.build();
        }
        Provenance source = ProbeContext.fromCatalogue(AmdModel.TABLE);
        findName(device.get(), revision)
                .or(() -> profile.deviceName().isKnown()
                        ? Optional.of(profile.deviceName())
                        : AmdModel.find(device.get(), revision)
                                .flatMap(AmdModel::findChip)
                                .map(name -> Reading.known(name, source)))
                .ifPresent(name -> builder.with(DeviceFact.DEVICE_NAME, name));
        AmdModel.find(device.get(), revision).ifPresent(model -> addMemory(profile, builder, model, source));
        return builder.build();
    }

    /// Reports whether the model is known to be part of a processor.
    boolean isInProcessor(AcceleratorProfile profile) {
        return model(profile).filter(AmdModel::shared).isPresent();
    }

    /// The rate of all XGMI links of the model, one way.
    Optional<Bandwidth> findFabricRate(AcceleratorProfile profile) {
        return model(profile).flatMap(AmdModel::findFabricRate);
    }

    private static Optional<AmdModel> model(AcceleratorProfile profile) {
        return device(profile).flatMap(id -> AmdModel.find(id, AmdModel.ANY));
    }

    private static Optional<Integer> device(AcceleratorProfile profile) {
        return profile.reading(DeviceFact.PCI_ID)
                .find()
                .filter(id -> id.startsWith("1002:"))
                .flatMap(id -> AmdText.hex16(id.substring("1002:".length())));
    }

    private Optional<Reading<String>> findName(int device, int revision) {
        for (String path : revision == AmdModel.ANY ? List.<String>of() : LISTS) {
            if (context.files().read(path, MAX_LIST) instanceof HostAnswer.Found(String text)) {
                Optional<String> name = findListed(text, device, revision);
                if (name.isPresent()) {
                    return Optional.of(Reading.known(name.get(), ProbeContext.fromCatalogue(path)));
                }
            }
        }
        return AmdModel.find(device, revision)
                .flatMap(AmdModel::findName)
                .map(name -> Reading.known(name, ProbeContext.fromCatalogue(AmdModel.TABLE)));
    }

    /// The name of a device in one of its revisions: lines such as `744C,	C8,	AMD Radeon RX 7900 XTX`.
    static Optional<String> findListed(String text, int device, int revision) {
        for (String line : text.split("\n")) {
            String[] parts = line.split(",", PARTS);
            if (parts.length == PARTS
                    && AmdText.hex16(parts[0].strip()).equals(Optional.of(device))
                    && AmdText.hex16(parts[1].strip()).equals(Optional.of(revision))
                    && !parts[2].isBlank()) {
                return Optional.of(parts[2].strip());
            }
        }
        return Optional.empty();
    }

    private static void addMemory(
            AcceleratorProfile profile, AcceleratorProfile.ProfileBuilder builder, AmdModel model, Provenance source) {
        if (!profile.reading(DeviceFact.MEMORY_TYPE).isKnown()) {
            model.findMemoryType().ifPresent(type -> builder.with(DeviceFact.MEMORY_TYPE, Reading.known(type, source)));
        }
        if (profile.memoryBandwidth().isKnown()) {
            return;
        }
        Optional<Bandwidth> computed =
                profile.reading(DeviceFact.MEMORY_CLOCK_MAX).find().flatMap(model::findRate);
        Provenance derived = Provenance.of(
                "memory clock, " + AmdModel.TABLE, Provenance.Method.DERIVED, Provenance.Confidence.STATED);
        computed.map(rate -> Reading.known(rate, derived))
                .or(() -> model.findStatedRate().map(rate -> Reading.known(rate, source)))
                .ifPresent(rate -> builder.with(DeviceFact.MEMORY_BANDWIDTH, rate));
    }
}
