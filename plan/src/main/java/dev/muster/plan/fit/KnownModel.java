package dev.muster.plan.fit;

import dev.muster.plan.catalogue.ModelCatalogue;
import dev.muster.plan.catalogue.ModelEntry;
import dev.muster.plan.model.ModelArchitecture;
import dev.muster.plan.tensor.ModelTensors;
import dev.muster.plan.time.ModelShape;
import java.util.Optional;

/// The model of a row: one of the catalogue, or the nearest in size where only sizes are known.
///
/// @param architecture how it is built
/// @param scale how many times the catalogue's model it is
record KnownModel(ModelArchitecture architecture, double scale) {
    /// Active parameters decide about speed, so they count more.
    private static final double ACTIVE_WEIGHT = 1.5;
    /// Further off in logarithms, a model tells nothing about another.
    private static final double MAX_DISTANCE = 1.6;

    private static final double BILLION = 1e9;

    static Optional<KnownModel> find(TruthRow row, ModelCatalogue models) {
        Optional<KnownModel> named =
                models.find(row.text("model")).map(entry -> new KnownModel(entry.architecture(), 1));
        return named.isPresent()
                ? named
                : nearest(models, row.number("params_b") * BILLION, row.number("active_params_b") * BILLION);
    }

    private static Optional<KnownModel> nearest(ModelCatalogue models, double total, double activeOrZero) {
        double active = activeOrZero > 0 ? activeOrZero : total;
        if (total <= 0) {
            return Optional.empty();
        }
        KnownModel best = new KnownModel(ModelArchitecture.UNKNOWN, 1);
        double least = MAX_DISTANCE;
        for (ModelEntry entry : models.entries()) {
            double distance = distance(entry, total, active);
            if (distance < least && isComplete(entry)) {
                least = distance;
                best = new KnownModel(
                        entry.architecture(),
                        active / entry.activeParameters().find().orElse(1L));
            }
        }
        return least < MAX_DISTANCE ? Optional.of(best) : Optional.empty();
    }

    private static double distance(ModelEntry entry, double total, double active) {
        double ofTotal = entry.parameters().find().orElse(1L) / total;
        double ofActive = entry.activeParameters().find().orElse(1L) / active;
        return Math.abs(Math.log(ofTotal)) + ACTIVE_WEIGHT * Math.abs(Math.log(ofActive));
    }

    private static boolean isComplete(ModelEntry entry) {
        return ModelShape.of(entry.architecture()).isPresent()
                && ModelTensors.of(entry.architecture()).isPresent();
    }
}
