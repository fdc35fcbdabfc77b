// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.top;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import dev.muster.core.DeviceId;
import dev.muster.monitor.SampleHistory;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;

/// Charts of the whole host over the last samples: load, memory, power, traffic.
///
/// @param canvas canvas to draw on
/// @param glyphs with which characters
/// @param registry the newest sample
/// @param history those before
record HistoryPane(Canvas canvas, Glyphs glyphs, AcceleratorRegistry registry, SampleHistory history) {
    /// Of more devices the first are shown: all of thousands would take longer than a sample.
    private static final int MOST_DEVICES = 64;

    private static final int LEAST_WIDTH = 38;

    /// A chart's content.
    private static final class Chart {
        final String title;
        /// The newest value with its unit.
        final String label;
        /// Values from 0 to 1, the oldest first; not a number where unknown.
        final double[] shares;

        Chart(String title, String label, double[] shares) {
            this.title = title;
            this.label = label;
            this.shares = shares;
        }
    }

    void draw(Area area) {
        List<Chart> charts = charts(area.width());
        int shown = Math.clamp(area.width() / LEAST_WIDTH, 1, charts.size());
        int width = (area.width() - (shown - 1)) / shown;
        for (int i = 0; i < shown; i++) {
            draw(charts.get(i), new Area(area.x() + i * (width + 1), area.y(), width, area.height()));
        }
    }

    private void draw(Chart chart, Area area) {
        int at = canvas.put(area.x(), area.y(), area.end(), chart.title + " ", Tone.DIM);
        canvas.put(at, area.y(), area.end(), chart.label, Tone.STRONG);
        int rows = area.height() - 1;
        int first = Math.max(0, chart.shares.length - area.width());
        int x = area.end() - (chart.shares.length - first);
        for (int i = first; i < chart.shares.length; i++, x++) {
            double share = chart.shares[i];
            for (int row = 0; row < rows && !Double.isNaN(share); row++) {
                String cell = glyphs.cell(Math.clamp(share, 0, 1) * rows, row);
                canvas.put(x, area.bottom() - 1 - row, area.end(), cell, Tone.ofShare(share, 0.7, 0.9));
            }
        }
    }

    private List<Chart> charts(int most) {
        Figures figures = new Figures(glyphs);
        List<AcceleratorProfile> devices = DeviceRow.shown(registry);
        List<AcceleratorProfile> some = devices.subList(0, Math.min(devices.size(), MOST_DEVICES));
        double[] load = sum(some, DeviceFact.UTILIZATION, most);
        divide(load, Math.max(1, known(some, DeviceFact.UTILIZATION)));
        double allMemory = total(some, DeviceFact.MEMORY);
        double[] memory = sum(some, DeviceFact.MEMORY_USED, most);
        if (memory.length == 0) {
            memory = sum(some, DeviceFact.MEMORY_FREE, most);
            for (int i = 0; i < memory.length; i++) {
                memory[i] = allMemory - memory[i];
            }
        }
        double[] now = lastOf(memory);
        divide(memory, allMemory);
        double[] power = sum(some, DeviceFact.POWER, most);
        double[] watts = lastOf(power);
        double limit = total(some, DeviceFact.POWER_LIMIT);
        divide(power, limit > 0 ? limit : peak(power));
        double[] traffic = sum(some, DeviceFact.PCIE_RECEIVED, most);
        double[] sent = sum(some, DeviceFact.PCIE_SENT, most);
        add(traffic, sent);
        double[] flow = lastOf(traffic);
        divide(traffic, peak(traffic));
        return List.of(
                new Chart("load", figures.percent(optional(lastOf(load))), load),
                new Chart("memory", figures.gib(optional(now)) + " of " + Figures.gib(allMemory) + " GiB", memory),
                new Chart(
                        "power",
                        figures.whole(optional(watts)) + (limit > 0 ? " of " + Math.round(limit) : "") + " W",
                        power),
                new Chart("PCIe", figures.rate(optional(flow)) + " GB/s, highest is full", traffic));
    }

    private static OptionalDouble optional(double[] one) {
        return one.length == 0 || Double.isNaN(one[0]) ? OptionalDouble.empty() : OptionalDouble.of(one[0]);
    }

    private static double[] lastOf(double[] values) {
        return values.length == 0 ? values : new double[] {values[values.length - 1]};
    }

    /// Returns the known numbers of the devices together, a sum for each sample.
    private double[] sum(List<AcceleratorProfile> devices, DeviceFact<?> fact, int most) {
        double[] sums = new double[Math.min(most, history.length())];
        Arrays.fill(sums, Double.NaN);
        int longest = 0;
        for (AcceleratorProfile device : devices) {
            DeviceId id = device.id();
            List<SampleHistory.HistoryPoint> points = history.series(id, fact, sums.length);
            longest = Math.max(longest, points.size());
            int at = sums.length - points.size();
            for (SampleHistory.HistoryPoint point : points) {
                if (point.value().isPresent()) {
                    double before = Double.isNaN(sums[at]) ? 0 : sums[at];
                    sums[at] = before + point.value().getAsDouble();
                }
                at++;
            }
        }
        return Arrays.copyOfRange(sums, sums.length - longest, sums.length);
    }

    private static int known(List<AcceleratorProfile> devices, DeviceFact<?> fact) {
        return (int) devices.stream()
                .filter(device -> device.number(fact).isPresent())
                .count();
    }

    private static double total(List<AcceleratorProfile> devices, DeviceFact<?> fact) {
        return devices.stream()
                .mapToDouble(device -> device.number(fact).orElse(0))
                .sum();
    }

    private static double peak(double[] values) {
        return Arrays.stream(values).filter(value -> !Double.isNaN(value)).max().orElse(1);
    }

    private static void divide(double[] values, double by) {
        for (int i = 0; i < values.length; i++) {
            values[i] = by > 0 ? values[i] / by : Double.NaN;
        }
    }

    private static void add(double[] values, double[] more) {
        for (int i = 0; i < Math.min(values.length, more.length); i++) {
            int mine = values.length - 1 - i;
            double other = more[more.length - 1 - i];
            values[mine] += Double.isNaN(other) ? 0 : other;
        }
    }
}
