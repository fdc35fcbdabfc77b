package dev.muster.plan.search;

import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.plan.answer.DevicePool;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.model.ModelDimension;
import dev.muster.plan.serving.FormatFit;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingLimits;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.serving.ServingSoftware;
import dev.muster.plan.tensor.StoredWeights;
import java.util.function.IntPredicate;

/// The longest context and the most sequences that the memory of devices has room for. Immutable and
/// safe to share between threads.
///
/// @since 0.1
public record LargestFit(ServingSearch search) {
    /// More than these are no sequences of one machine.
    private static final int MOST_SEQUENCES = 1 << 20;

    private static final int MOST_TOKENS = 100_000_000;

    /// The room that a search sees.
    public static LargestFit of(ServingSearch search) {
        return new LargestFit(search.withoutRentals());
    }

    /// What fits of a model in the format of a request; unknown where architecture or format are.
    public Reading<FormatFit> find(ServingRequest request, DevicePool pool, ServingSoftware software) {
        ServingSearch.Model model = ServingSearch.Model.of(request, pool, software);
        Reading<Bytes> weights = model.stored().map(StoredWeights::total);
        // Memory alone is asked for: times and prices limit nothing here.
        ServingRequest free = request.withGoal(ServingGoal.THROUGHPUT).withLimits(ServingLimits.NONE);
        int whole = (int) Math.min(
                MOST_TOKENS, request.architecture().find(ModelDimension.CONTEXT).orElse(MOST_TOKENS));
        return weights.map(bytes -> new FormatFit(
                request.format(),
                pool,
                software,
                bytes,
                tokens(free.withConcurrency(1), model, pool, software, whole),
                tokens(free, model, pool, software, whole),
                whole,
                sequences(free, model, pool, software, MOST_SEQUENCES),
                Byte.SIZE * ServingEngine.kvBytes(software, request, pool.device()),
                search.find(request, model, pool, software, false)
                        .find()
                        .filter(PlanAnswer::isFeasible)
                        .flatMap(PlanAnswer::findFirst)));
    }

    /// The most tokens of a sequence, prompt and answer together; 0 where not even two fit.
    int tokens(ServingRequest request, ServingSearch.Model model, DevicePool pool, ServingSoftware software, int most) {
        return largest(1, most, tokens -> search.fits(request.withTokens(tokens), model, pool, software));
    }

    /// The most sequences at once; 0 where not even one fits.
    public int sequences(ServingRequest request, DevicePool pool, ServingSoftware software, int most) {
        return sequences(request, ServingSearch.Model.of(request, pool, software), pool, software, most);
    }

    private int sequences(
            ServingRequest request, ServingSearch.Model model, DevicePool pool, ServingSoftware software, int most) {
        return largest(0, most, count -> search.fits(request.withConcurrency(count), model, pool, software));
    }

    /// The largest number that fits, where all below one that fits do too; 0 where none above `below`
    /// does.
    static int largest(int below, int most, IntPredicate fits) {
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
