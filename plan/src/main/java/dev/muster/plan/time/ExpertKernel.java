// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.time;

import dev.muster.model.table.CsvRow;
import dev.muster.model.table.CsvTable;
import java.util.HashMap;
import java.util.Map;

/// A kernel for products of routed experts, as single calls of it were timed: a row of a table.
///
/// @param launch seconds of each call
/// @param memoryShare of the bandwidth
/// @param computeShare of the peak, with many rows of skewed routing
/// @param tileRows padding rows for each expert that has tokens
/// @param bytes bytes for each token and number of both sides
/// @param width inner width lost to partial tiles
record ExpertKernel(
        double launch, double memoryShare, double computeShare, double tileRows, double bytes, double width) {
    private static final String RESOURCE = "/dev/muster/plan/time/expert-kernels.csv";
    private static final double MICRO = 1e-6;
    private static final String OWN = "tensorrt-llm";
    /// The generation whose kernels stand for those of devices whose own were not timed.
    private static final String USUAL = "hopper";

    private static final class Table {
        private static final Map<String, ExpertKernel> KERNELS = read();
    }

    /// Returns the kernel of an engine: its own, or that of the others.
    ///
    /// @param generation devices with the same kernels
    /// @param kernel weight format that it multiplies
    static ExpertKernel of(String engine, String generation, String kernel) {
        Map<String, ExpertKernel> kernels = Table.KERNELS;
        ExpertKernel own = engine.startsWith(OWN) ? kernels.get(key(OWN, generation, kernel)) : null;
        ExpertKernel common = kernels.getOrDefault(key("", generation, kernel), kernels.get(key("", USUAL, kernel)));
        ExpertKernel known = own != null ? own : common;
        if (known == null) {
            throw new IllegalArgumentException("no kernel for experts in " + kernel + " on " + generation);
        }
        return known;
    }

    private static Map<String, ExpertKernel> read() {
        Map<String, ExpertKernel> kernels = new HashMap<>();
        for (CsvRow row :
                CsvTable.parse(CsvTable.resource(ExpertKernel.class, RESOURCE)).rows()) {
            kernels.put(
                    key(row.orEmpty("engine"), row.require("generation"), row.require("kernel")),
                    new ExpertKernel(
                            MICRO * Double.parseDouble(row.require("launch_us")),
                            Double.parseDouble(row.require("memory_share")),
                            Double.parseDouble(row.require("compute_share")),
                            Double.parseDouble(row.require("tile_rows")),
                            Double.parseDouble(row.require("bytes")),
                            Double.parseDouble(row.require("width"))));
        }
        return kernels;
    }

    private static String key(String engine, String generation, String kernel) {
        return engine + "/" + generation + "/" + kernel;
    }
}
