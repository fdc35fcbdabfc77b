// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.model.ModelDimension;
import dev.muster.model.tensor.StoredWeights;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.answer.Shortfall;
import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.serving.FormatFit;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingRequest;
import java.util.List;
import java.util.function.IntPredicate;

/// The longest context and the most sequences that fit into the memory of devices. Immutable and safe to share
/// between threads.
public record LargestFit(ServingSearch search) {
    /// An upper bound of the sequences of one machine.
    private static final int MOST_SEQUENCES = 1 << 20;

    private static final int MOST_TOKENS = 100_000_000;

    public static LargestFit of(ServingSearch search) {
        return new LargestFit(search.withoutRentals());
    }

    /// Returns the fit of a model in the format of a request; none if architecture or format are unknown.
    public Attempt<FormatFit> find(ServingRequest request, DevicePool pool, ServingEngine software) {
        ServingSearch.Model model = search.model(request, pool, software);
        if (model.known() instanceof Attempt.Failed<ServingSearch.Known>(Shortfall reason)
                && reason.cause() == Shortfall.Cause.OTHER_KIND) {
            return new Attempt.Failed<>(reason);
        }
        Reading<Bytes> weights = model.stored().map(StoredWeights::total);
        List<ServingSearch.Replica> layouts = layouts(request, model);
        int whole = (int) Math.min(
                MOST_TOKENS, request.architecture().find(ModelDimension.CONTEXT).orElse(MOST_TOKENS));
        return Attempt.of(weights.map(bytes -> new FormatFit(
                request.format(),
                pool,
                software,
                bytes,
                tokens(layouts, 1, whole),
                tokens(layouts, request.concurrency(), whole),
                whole,
                sequences(layouts, request.tokens(), MOST_SEQUENCES),
                Byte.SIZE * model.rules().kvBytes(request),
                search.find(request, model, false)
                        .find()
                        .filter(PlanAnswer::isFeasible)
                        .flatMap(PlanAnswer::findFirst))));
    }

    /// Returns the most tokens of a sequence, prompt and answer together; 0 if not even two fit.
    static int tokens(List<ServingSearch.Replica> layouts, int concurrency, int most) {
        return largest(1, most, tokens -> ServingSearch.fits(layouts, concurrency, tokens));
    }

    /// Returns the most concurrent sequences within the limits; 0 if not even one fits.
    public int sequences(ServingRequest request, DevicePool pool, ServingEngine software, int most) {
        ServingSearch.Model model = search.model(request, pool, software);
        return request.isLimited()
                ? largest(0, most, count -> search.fits(request.withConcurrency(count), model))
                : sequences(layouts(request, model), request.tokens(), most);
    }

    private List<ServingSearch.Replica> layouts(ServingRequest request, ServingSearch.Model model) {
        return search.listReplicas(request, model).find().orElse(List.of());
    }

    private static int sequences(List<ServingSearch.Replica> layouts, int tokens, int most) {
        return largest(0, most, count -> ServingSearch.fits(layouts, count, tokens));
    }

    /// Returns the largest number that fits, if all below one that fits do, too; 0 if none above `below` does.
    public static int largest(int below, int most, IntPredicate fits) {
        if (most > below && fits.test(most)) {
            return most;
        }
        int low = below;
        int high = most - 1;
        while (low < high) {
            int middle = low + (high - low + 1) / 2;
            if (fits.test(middle)) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low == below ? 0 : low;
    }
}
