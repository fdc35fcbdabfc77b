package dev.muster.plan.accuracy;

import java.util.List;

/// Quantiles of sorted values, between two neighbours where need be.
final class Quantiles {
    private Quantiles() {}

    static double of(List<Double> sorted, double share) {
        double place = share * (sorted.size() - 1);
        int below = (int) Math.floor(place);
        int above = Math.min(sorted.size() - 1, below + 1);
        double rest = place - below;
        return sorted.get(below) * (1 - rest) + sorted.get(above) * rest;
    }
}
