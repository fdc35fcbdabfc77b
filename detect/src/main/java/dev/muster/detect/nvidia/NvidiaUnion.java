// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.PciAddress;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.detect.normalise.ProfileMerge;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Joins what the driver tells with what the kernel sees. A GPU that only the kernel sees is a device too: one that
/// cannot be used, with the reason. Every start on a machine with a GPU comes here: docs/decisions/0004 says what is
/// not done for that.
///
/// @param answer the driver's answer
/// @param withoutNodes true if `/dev` was listed and has none of the driver's nodes, as in a container without GPUs
/// @param gaps told of each conflict
record NvidiaUnion(NvidiaAnswer answer, boolean withoutNodes, Consumer<Gap> gaps) {
    private static final String DRIVER = "nvidia";

    /// All devices: those that the driver tells, in its order, then the others.
    ///
    /// @param known the GPUs that the kernel sees
    List<AcceleratorProfile> join(List<AcceleratorProfile> known) {
        List<AcceleratorProfile> told = answer instanceof NvidiaAnswer.Devices devices ? devices.profiles() : List.of();
        List<AcceleratorProfile> rest = new ArrayList<>(known);
        List<AcceleratorProfile> all = new ArrayList<>();
        boolean nameless = false;
        long next = 0;
        for (AcceleratorProfile device : told) {
            Optional<AcceleratorProfile> same =
                    device.partition().isPresent() ? Optional.empty() : findSame(device, rest, told);
            if (same.isPresent()) {
                rest.remove(same.get());
                all.add(complete(device, same.get()));
            } else {
                all.add(device);
            }
            nameless = nameless || !device.reading(DeviceFact.PCI_ADDRESS).isKnown();
            next = Math.max(next, device.accelerator().deviceId() + 1);
        }
        for (AcceleratorProfile seen : rest) {
            if (nameless && isServed(seen)) {
                // It may be one of those whose address the driver did not tell.
                continue;
            }
            all.add(alone(seen, next++));
        }
        reportMissing(nameless, told, known);
        return all;
    }

    private Optional<AcceleratorProfile> findSame(
            AcceleratorProfile device, List<AcceleratorProfile> rest, List<AcceleratorProfile> told) {
        Optional<PciAddress> address = device.reading(DeviceFact.PCI_ADDRESS).find();
        List<AcceleratorProfile> served = new ArrayList<>();
        for (AcceleratorProfile seen : rest) {
            if (address.isPresent()
                    && seen.reading(DeviceFact.PCI_ADDRESS).find().equals(address)) {
                return Optional.of(seen);
            }
            if (isServed(seen)) {
                served.add(seen);
            }
        }
        boolean onlyOne = address.isEmpty() && told.size() == 1 && served.size() == 1;
        return onlyOne ? Optional.of(served.getFirst()) : Optional.empty();
    }

    private AcceleratorProfile complete(AcceleratorProfile device, AcceleratorProfile seen) {
        AcceleratorProfile.ProfileBuilder same = seen.toBuilder().accelerator(device.accelerator());
        if (device.deviceName().isKnown() && isFromTable(seen.deviceName())) {
            // A table's name is for GPUs without a name; it contradicts no other source.
            same.with(DeviceFact.DEVICE_NAME, Reading.notProbed());
        }
        AcceleratorProfile numbered = same.build();
        return ProfileMerge.merge(device, numbered, gaps);
    }

    private static boolean isFromTable(Reading<String> name) {
        return name instanceof Reading.Known<String>(var _, Provenance source)
                && source.method() == Provenance.Method.CATALOGUE;
    }

    /// A GPU of which the driver says nothing.
    private AcceleratorProfile alone(AcceleratorProfile seen, long number) {
        AcceleratorProfile.ProfileBuilder device =
                seen.toBuilder().accelerator(AcceleratorType.of(AcceleratorKind.CUDA_GPU, number));
        if (seen.reading(DeviceFact.HEALTH).isKnown()) {
            return device.build();
        }
        Reading<String> driver = seen.reading(DeviceFact.KERNEL_DRIVER);
        if (!isServed(seen)) {
            String trouble = driver.find().map(name -> "bound to " + name).orElse("no driver is bound");
            return device.available(false)
                    .with(DeviceFact.HEALTH, derived(trouble))
                    .build();
        }
        return switch (answer) {
            case NvidiaAnswer.NotAsked _
            when withoutNodes ->
                device.available(false)
                        .with(DeviceFact.HEALTH, derived("device node " + NvidiaNodes.CONTROL + " not found"))
                        .build();
            case NvidiaAnswer.NotAsked _ ->
                device.with(
                                DeviceFact.HEALTH,
                                Reading.unknown(UnknownReason.NOT_INSTALLED, "the driver's tool is not installed"))
                        .build();
            case NvidiaAnswer.Refused(String reason) ->
                device.available(false)
                        .with(DeviceFact.HEALTH, derived("the driver does not answer: " + reason))
                        .build();
            case NvidiaAnswer.Devices _ ->
                device.available(false)
                        .with(DeviceFact.HEALTH, derived("the driver does not report this GPU"))
                        .build();
        };
    }

    /// Reports whether NVIDIA's driver has the GPU; one that the bus does not show is in the driver's own list.
    private static boolean isServed(AcceleratorProfile seen) {
        Reading<String> driver = seen.reading(DeviceFact.KERNEL_DRIVER);
        return driver.isKnown() ? driver.find().orElseThrow().equals(DRIVER) : driver.isNotProbed();
    }

    private static Reading<String> derived(String health) {
        return Reading.known(
                health, Provenance.of("PCI bus", Provenance.Method.DERIVED, Provenance.Confidence.MEASURED));
    }

    private void reportMissing(boolean nameless, List<AcceleratorProfile> told, List<AcceleratorProfile> known) {
        int served = 0;
        for (AcceleratorProfile seen : known) {
            served += isServed(seen) ? 1 : 0;
        }
        if (nameless && served > told.size()) {
            gaps.accept(new Gap.Conflict(
                    NvidiaProbe.NAME, "the kernel's driver has " + served + " GPUs, nvidia-smi lists " + told.size()));
        }
    }
}
