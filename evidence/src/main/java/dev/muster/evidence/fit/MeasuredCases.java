// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.fit;

import dev.muster.evidence.measured.AccuracyReport.Refusal;
import dev.muster.evidence.measured.MeasuredTables;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.model.table.CsvRow;
import dev.muster.model.table.CsvTable;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.DeviceEntry;
import dev.muster.plan.cost.DeviceFigures;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// The cases of the rows of some tables.
///
/// @param cases rows that are predicted
/// @param refusals rows that are not
public record MeasuredCases(List<MeasuredCase> cases, List<Refusal> refusals) {
    public MeasuredCases {
        cases = List.copyOf(cases);
        refusals = List.copyOf(refusals);
    }

    /// Returns the cases of tables.
    ///
    /// @throws dev.muster.model.CatalogueException if a table cannot be read
    public static MeasuredCases of(MeasuredTables tables, ModelCatalogue models, DeviceCatalogue devices) {
        Builder builder = new Builder(models, devices);
        ServingCases serving = new ServingCases(builder);
        builder.read(tables, MeasuredTables.INFERENCE, serving::add);
        builder.read(tables, MeasuredTables.SERVING, serving::add);
        builder.read(tables, MeasuredTables.H200_LLAMA_CPP, serving::add);
        serving.finish();
        builder.read(tables, MeasuredTables.DISAGGREGATED, new DisaggregatedCases(builder)::add);
        builder.read(tables, MeasuredTables.TRAINING, row -> TrainingCases.add(row, builder));
        builder.read(tables, MeasuredTables.MEMORY, row -> MemoryCases.add(row, builder));
        builder.read(tables, MeasuredTables.OTHER, row -> TaskCases.add(row, builder));
        builder.read(tables, MeasuredTables.H200_INFERENCE, row -> H200Cases.addInference(row, builder));
        builder.read(tables, MeasuredTables.H200_TRAINING, row -> H200Cases.addTraining(row, builder));
        return new MeasuredCases(builder.weighted(), builder.refusals);
    }

    /// Collects cases. Confined to one thread.
    static final class Builder {
        private final ModelCatalogue models;
        private final DeviceCatalogue devices;
        private final List<MeasuredCase> cases = new ArrayList<>();
        private final List<Refusal> refusals = new ArrayList<>();
        /// Groups of llama.cpp and of training have from one row to dozens, which repeat each other.
        private final Map<String, Map<String, Integer>> uneven = new HashMap<>();

        private Builder(ModelCatalogue models, DeviceCatalogue devices) {
            this.models = models;
            this.devices = devices;
        }

        private void read(MeasuredTables tables, String name, Consumer<TruthRow> each) {
            tables.find(name).ifPresent(text -> {
                int number = 0;
                for (CsvRow csv : CsvTable.parse(text).rows()) {
                    number++;
                    each.accept(new TruthRow(csv, name.replace(".csv", "") + "#" + number));
                }
            });
        }

        ModelCatalogue models() {
            return models;
        }

        /// Returns the device of a row; refuses the row if it is unknown.
        Optional<DeviceFigures> findDevice(TruthRow row) {
            return findDevice(row.id(), row.text("device"));
        }

        /// Returns the device of a row by its id; refuses the row if it is unknown. Programs count the devices that a
        /// system shows: each half of a card of two chips.
        Optional<DeviceFigures> findDevice(String id, String name) {
            Optional<DeviceFigures> device =
                    devices.find(name).map(DeviceEntry::perDeviceShown).map(DeviceFigures::of);
            if (device.isEmpty()) {
                refuse(id, "unknown device '" + name + "'");
            }
            return device;
        }

        /// Returns a device of the catalogue.
        Optional<DeviceFigures> knownDevice(String name) {
            return devices.find(name).map(DeviceFigures::of);
        }

        /// Returns the device of a known name.
        DeviceFigures device(String name) {
            return DeviceFigures.of(devices.find(name).orElseThrow());
        }

        void refuseModel(TruthRow row) {
            refuse(row.id(), "unknown model '" + row.text("model") + "'");
        }

        void add(MeasuredCase one) {
            if (one.measured() > 0) {
                cases.add(one);
            } else {
                doubt(one.id(), "the row has no figure above 0");
            }
        }

        /// Adds a row of a group that counts with the square root of its rows.
        ///
        /// @param fitted name of the rows that are fitted together
        void addOfGroup(String fitted, MeasuredCase one) {
            uneven.computeIfAbsent(fitted, _ -> new HashMap<>()).merge(one.group(), 1, Integer::sum);
            add(one);
        }

        private List<MeasuredCase> weighted() {
            Map<String, Double> weights = new HashMap<>();
            for (Map<String, Integer> sizes : uneven.values()) {
                double rows = sizes.values().stream().mapToInt(size -> size).sum();
                double roots = sizes.values().stream().mapToDouble(Math::sqrt).sum();
                sizes.forEach((group, size) -> weights.put(group, rows / roots / Math.sqrt(size)));
            }
            return cases.stream()
                    .map(one -> one.times(weights.getOrDefault(one.group(), 1.0)))
                    .toList();
        }

        /// Refuses a row that a better model could predict.
        void refuse(String id, String reason) {
            refusals.add(new Refusal(id, true, reason));
        }

        /// Refuses a row that is doubtful or has no figure to predict.
        void doubt(String id, String reason) {
            refusals.add(new Refusal(id, false, reason));
        }
    }
}
