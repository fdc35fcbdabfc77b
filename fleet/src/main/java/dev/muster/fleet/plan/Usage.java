// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The uses of hosts: patterns, each a number of replicas of each model that one host holds, or a share of a
/// replica that spans hosts. Confined to one thread.
final class Usage {
    private final int[][] sizes;
    private final List<HostClass> classes;
    /// By class: how often each pattern was the most valuable.
    private final List<Map<Pattern, Integer>> chosen = new ArrayList<>();

    private double[] held = {};
    private int rounds;

    /// @param sizes by model and class, devices of a replica; 0 where it does not fit
    Usage(int[][] sizes, List<HostClass> classes) {
        this.sizes = sizes;
        this.classes = classes;
        classes.forEach(_ -> chosen.add(new LinkedHashMap<>()));
    }

    /// The replicas of one host.
    ///
    /// @param counts replicas of each model
    /// @param spanning the model of which it holds a part of one replica; -1 where it holds whole ones
    private record Pattern(List<Integer> counts, int spanning) {}

    /// Chooses for each class the pattern that is worth most, and returns what all hosts together are worth: with
    /// prices
    /// that add up to 1, no placement has more sets.
    double add(double[] prices) {
        double worth = 0;
        held = new double[sizes.length];
        for (int i = 0; i < classes.size(); i++) {
            int hosts = classes.get(i).offers().size();
            Pattern best = best(i, prices);
            chosen.get(i).merge(best, 1, Integer::sum);
            for (int model = 0; model < sizes.length; model++) {
                double each = best.spanning == model ? 1.0 / spanned(model, i) : best.counts.get(model);
                held[model] += each * hosts;
                worth += each * hosts * prices[model];
            }
        }
        rounds++;
        return worth;
    }

    /// Patterns that were chosen so far do not count.
    void forget() {
        chosen.forEach(Map::clear);
        rounds = 0;
    }

    /// Raises the prices of models that are held less than others, and lowers the others.
    void reprice(double[] prices, double step) {
        double mean = Arrays.stream(held).average().orElse(1);
        double sum = 0;
        for (int model = 0; model < prices.length; model++) {
            double excess = Math.clamp(held[model] / Math.max(mean, Double.MIN_NORMAL) - 1, -1, 1);
            prices[model] *= Math.exp(-step * excess);
            sum += prices[model];
        }
        for (int model = 0; model < prices.length; model++) {
            prices[model] /= sum;
        }
    }

    private int spanned(int model, int i) {
        return sizes[model][i] / classes.get(i).devices();
    }

    /// The most valuable way to fill one host, by the value of each number of devices.
    private Pattern best(int i, double[] prices) {
        int devices = classes.get(i).devices();
        double[] value = new double[devices + 1];
        int[] last = new int[devices + 1];
        Arrays.fill(last, -1);
        for (int used = 1; used <= devices; used++) {
            value[used] = value[used - 1];
            for (int model = 0; model < sizes.length; model++) {
                int size = sizes[model][i];
                if (size > 0 && size <= used && value[used - size] + prices[model] > value[used]) {
                    value[used] = value[used - size] + prices[model];
                    last[used] = model;
                }
            }
        }
        for (int model = 0; model < sizes.length; model++) {
            boolean spans = sizes[model][i] > devices;
            if (spans && prices[model] / spanned(model, i) > value[devices]) {
                return new Pattern(zeros(), model);
            }
        }
        List<Integer> counts = zeros();
        for (int used = devices; used > 0; ) {
            int model = last[used];
            if (model < 0) {
                used--;
            } else {
                counts.set(model, counts.get(model) + 1);
                used -= sizes[model][i];
            }
        }
        return new Pattern(counts, -1);
    }

    private List<Integer> zeros() {
        List<Integer> zeros = new ArrayList<>();
        for (int model = 0; model < sizes.length; model++) {
            zeros.add(0);
        }
        return zeros;
    }

    /// Uses each pattern on as many hosts as it was chosen often, and fills the rest with the models that are fewest.
    Placement place() {
        Placement placement = new Placement(sizes.length, classes.size());
        // By class and devices that are left, how many hosts have so many.
        long[][] left = new long[classes.size()][];
        for (int i = 0; i < left.length; i++) {
            int devices = classes.get(i).devices();
            left[i] = new long[devices + 1];
            left[i][devices] = classes.get(i).offers().size();
            for (Map.Entry<Pattern, Integer> one : chosen.get(i).entrySet()) {
                long hosts = (long) classes.get(i).offers().size() * one.getValue() / rounds;
                use(placement, left[i], i, one.getKey(), hosts);
            }
        }
        boolean placed = true;
        while (placed) {
            placed = addOne(placement, left, placement.scarcest());
        }
        return placement;
    }

    private void use(Placement placement, long[] left, int i, Pattern pattern, long hosts) {
        int devices = left.length - 1;
        if (pattern.spanning >= 0) {
            long replicas = hosts / spanned(pattern.spanning, i);
            placement.replicas[pattern.spanning][i] += replicas;
            left[devices] -= replicas * spanned(pattern.spanning, i);
            return;
        }
        int used = 0;
        for (int model = 0; model < sizes.length; model++) {
            placement.replicas[model][i] += hosts * pattern.counts.get(model);
            used += pattern.counts.get(model) * sizes[model][i];
        }
        left[devices] -= hosts;
        left[devices - used] += hosts;
    }

    /// Puts one replica into the host with the least room that is enough.
    private boolean addOne(Placement placement, long[][] left, int model) {
        int best = -1;
        int bestRoom = 0;
        for (int i = 0; i < left.length; i++) {
            int size = sizes[model][i];
            int devices = left[i].length - 1;
            if (size > devices) {
                if (best < 0 && left[i][devices] >= spanned(model, i)) {
                    best = i;
                    bestRoom = devices;
                }
                continue;
            }
            for (int room = Math.max(1, size); size > 0 && room <= devices; room++) {
                boolean tighter = best < 0 || room - size < bestRoom - Math.min(bestRoom, sizes[model][best]);
                if (left[i][room] > 0 && tighter) {
                    best = i;
                    bestRoom = room;
                    break;
                }
            }
        }
        if (best < 0) {
            return false;
        }
        boolean spans = sizes[model][best] > bestRoom;
        left[best][bestRoom] -= spans ? spanned(model, best) : 1;
        if (!spans) {
            left[best][bestRoom - sizes[model][best]]++;
        }
        placement.replicas[model][best]++;
        return true;
    }
}
