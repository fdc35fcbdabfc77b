// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Partition;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.text.Amount;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// MIG devices as the short forms of `nvidia-smi` show them: `-L` names them, and the table that the tool
/// prints without arguments tells their memory. For tools whose long form cannot be read.
///
/// @param listing their names
/// @param memory their memory
record NvidiaListedSlices(NvidiaListing listing, NvidiaMigTable memory, Provenance source) {
    private static final String GIGABYTES = "gb";
    private static final long MAX_GIGABYTES = 4096;
    private static final long GIGA = 1_000_000_000L;

    static NvidiaListedSlices ask(NvidiaSmi smi) {
        NvidiaListing listing =
                smi.findAnyOutput("-L").map(NvidiaListing::parse).orElse(NvidiaListing.EMPTY);
        NvidiaMigTable memory = listing.slices().isEmpty()
                ? NvidiaMigTable.EMPTY
                : smi.findAnyOutput().map(NvidiaMigTable::parse).orElse(NvidiaMigTable.EMPTY);
        return new NvidiaListedSlices(listing, memory, smi.source());
    }

    /// A GPU, and its MIG devices behind it.
    ///
    /// @param mode the tool's MIG mode; a GPU with MIG devices is in MIG mode, even if this says otherwise
    List<AcceleratorProfile> divide(AcceleratorProfile gpu, Reading<String> mode) {
        List<NvidiaListing.Slice> own = listing.slices().stream()
                .filter(slice -> slice.gpu() == gpu.accelerator().deviceId())
                .toList();
        AcceleratorProfile board = gpu.toBuilder()
                .with(DeviceFact.PARTITIONING, own.isEmpty() ? mode : Reading.known("MIG", source))
                .build();
        List<AcceleratorProfile> all = new ArrayList<>(List.of(board));
        own.forEach(slice -> all.add(profile(board, slice)));
        return all;
    }

    private AcceleratorProfile profile(AcceleratorProfile board, NvidiaListing.Slice slice) {
        String id = slice.uuid().isBlank() ? "mig" + slice.index() : slice.uuid();
        AcceleratorProfile.ProfileBuilder device = AcceleratorProfile.builder(board.accelerator())
                .available(board.available())
                .partition(new Partition(board.id(), id, slice.shape()))
                .with(DeviceFact.UUID, Reading.known(id, source))
                .with(DeviceFact.MEMORY, memory(slice))
                .with(DeviceFact.DEVICE_NAME, board.deviceName().map(name -> name + " MIG " + slice.shape()));
        memory.find(slice.gpu(), slice.index())
                .ifPresent(row -> device.with(DeviceFact.MEMORY_USED, Reading.known(row.used(), source)));
        NvidiaMigDevices.inherit(device, board);
        return device.build();
    }

    /// Returns the table's figure, else the size in the slice's own name, `1g.18gb`, which is rounded.
    private Reading<Bytes> memory(NvidiaListing.Slice slice) {
        return memory.find(slice.gpu(), slice.index())
                .map(row -> Reading.known(row.total(), source))
                .or(() -> findSize(slice.shape())
                        .map(size -> Reading.known(size, ProbeContext.fromCatalogue("names of MIG devices"))))
                .orElse(Reading.notSupported(source.source() + " does not report it"));
    }

    static Optional<Bytes> findSize(String shape) {
        int end = shape.lastIndexOf(GIGABYTES);
        int start = shape.lastIndexOf('.', Math.max(0, end)) + 1;
        return end <= start
                ? Optional.empty()
                : Amount.count(shape.substring(start, end), MAX_GIGABYTES).map(size -> Bytes.of(size * GIGA));
    }
}
