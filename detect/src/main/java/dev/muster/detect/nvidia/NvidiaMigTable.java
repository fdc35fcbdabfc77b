// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import dev.muster.core.unit.Bytes;
import dev.muster.detect.text.Amount;
import dev.muster.detect.text.PipeTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The table `MIG devices` of `nvidia-smi` without arguments. The first line of each device tells four numbers
/// (GPU, GPU instance, compute instance, MIG device) and the memory of its GPU instance. Names are not taken
/// from tables, which cut them.
///
/// @param rows the devices
record NvidiaMigTable(List<Row> rows) {
    static final NvidiaMigTable EMPTY = new NvidiaMigTable(List.of());

    private static final String TITLE = "MIG devices";
    private static final long MAX_NUMBER = 1024;
    private static final int MAX_ROWS = 1 << 16;
    private static final int NUMBERS = 4;

    NvidiaMigTable {
        rows = List.copyOf(rows);
    }

    /// One MIG device.
    ///
    /// @param gpu the GPU's number
    /// @param index its number on the GPU
    /// @param used used memory
    /// @param total the memory of its GPU instance
    record Row(long gpu, long index, Bytes used, Bytes total) {}

    static NvidiaMigTable parse(String text) {
        List<Row> rows = new ArrayList<>();
        int title = text.indexOf(TITLE);
        for (List<String> cells : PipeTable.rows(title < 0 ? "" : text.substring(title))) {
            if (cells.size() > 1 && rows.size() < MAX_ROWS) {
                findRow(cells.get(0), cells.get(1)).ifPresent(rows::add);
            }
        }
        return new NvidiaMigTable(rows);
    }

    private static Optional<Row> findRow(String place, String memory) {
        String[] numbers = place.split("\\s+");
        int slash = memory.indexOf('/');
        if (numbers.length != NUMBERS || slash < 0) {
            return Optional.empty();
        }
        Optional<Long> gpu = Amount.count(numbers[0], MAX_NUMBER);
        Optional<Long> index = Amount.count(numbers[NUMBERS - 1], MAX_NUMBER);
        Optional<Bytes> used = Amount.bytes(memory.substring(0, slash).strip());
        Optional<Bytes> total = Amount.bytes(memory.substring(slash + 1).strip());
        return gpu.isPresent() && index.isPresent() && used.isPresent() && total.isPresent()
                ? Optional.of(new Row(gpu.get(), index.get(), used.get(), total.get()))
                : Optional.empty();
    }

    /// The MIG device with that number on a GPU.
    Optional<Row> find(long gpu, long index) {
        return rows.stream()
                .filter(row -> row.gpu() == gpu && row.index() == index)
                .findFirst();
    }
}
