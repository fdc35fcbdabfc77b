// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Partition;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.detect.text.Amount;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The MIG devices of one GPU. A GPU instance has memory of its own; the compute instances in it share that memory, so
/// several MIG devices may each report the same bytes: their sum says nothing.
///
/// @param gpu the GPU as the tool prints it
/// @param board the GPU's own profile
/// @param listing the names of the MIG devices
record NvidiaMigDevices(NvidiaSmiGpu gpu, AcceleratorProfile board, NvidiaListing listing) {
    private static final int MAX_SLICES = 256;
    private static final long MAX_UNITS = 100_000;

    List<AcceleratorProfile> profiles() {
        List<AcceleratorProfile> found = new ArrayList<>();
        for (NvidiaElement block :
                gpu.gpu().find("mig_devices").map(all -> all.all("mig_device")).orElse(List.of())) {
            if (found.size() < MAX_SLICES) {
                found.add(profile(block));
            }
        }
        return found;
    }

    private AcceleratorProfile profile(NvidiaElement block) {
        String gpuInstance = block.value("gpu_instance_id");
        String computeInstance = block.value("compute_instance_id");
        Optional<NvidiaListing.Slice> listed = findListed(block);
        String shape = listed.map(NvidiaListing.Slice::shape).orElse("");
        String id = listed.map(NvidiaListing.Slice::uuid)
                .filter(uuid -> !uuid.isBlank())
                .orElse("gi" + gpuInstance + "-ci" + computeInstance);
        AcceleratorProfile.ProfileBuilder device = AcceleratorProfile.builder(board.accelerator())
                .available(board.available())
                .partition(new Partition(board.id(), id, shape))
                .with(DeviceFact.MEMORY, value(block, "fb_memory_usage/total").mebibytes())
                .with(
                        DeviceFact.MEMORY_RESERVED,
                        value(block, "fb_memory_usage/reserved").mebibytes())
                .with(
                        DeviceFact.MEMORY_USED,
                        value(block, "fb_memory_usage/used").mebibytes())
                .with(
                        DeviceFact.MEMORY_FREE,
                        value(block, "fb_memory_usage/free").mebibytes())
                .with(
                        DeviceFact.COMPUTE_UNITS,
                        value(block, "device_attributes/shared/multiprocessor_count")
                                .count("", MAX_UNITS))
                .with(
                        DeviceFact.PROCESSES,
                        gpu.processes(
                                process -> process.value("gpu_instance_id").equals(gpuInstance)
                                        && process.value("compute_instance_id").equals(computeInstance)));
        listed.ifPresent(slice -> device.with(DeviceFact.UUID, Reading.known(slice.uuid(), source())));
        device.with(
                DeviceFact.DEVICE_NAME,
                board.deviceName().map(name -> shape.isEmpty() ? name + " MIG" : name + " MIG " + shape));
        inherit(device, board);
        return device.build();
    }

    private Optional<NvidiaListing.Slice> findListed(NvidiaElement block) {
        return Amount.count(block.value("index"), Long.MAX_VALUE)
                .flatMap(number -> listing.findSlice(gpu.index(), number));
    }

    /// Returns the facts that a slice shares with the whole.
    static void inherit(AcceleratorProfile.ProfileBuilder device, AcceleratorProfile board) {
        device.with(DeviceFact.PCI_ADDRESS, board.reading(DeviceFact.PCI_ADDRESS))
                .with(DeviceFact.PCI_ID, board.reading(DeviceFact.PCI_ID))
                .with(DeviceFact.DRIVER_VERSION, board.reading(DeviceFact.DRIVER_VERSION))
                .with(DeviceFact.RUNTIME_VERSION, board.reading(DeviceFact.RUNTIME_VERSION))
                .with(DeviceFact.COMPUTE_CAPABILITY, board.reading(DeviceFact.COMPUTE_CAPABILITY))
                .with(DeviceFact.ARCHITECTURE, board.reading(DeviceFact.ARCHITECTURE))
                .with(DeviceFact.ECC, board.reading(DeviceFact.ECC));
    }

    private NvidiaValue value(NvidiaElement block, String path) {
        return new NvidiaValue(block.value(path), source());
    }

    private Provenance source() {
        return gpu.log().source();
    }
}
