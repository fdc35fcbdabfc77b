package dev.muster.plan.search;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/// What would fit where nothing does: fewer tokens, fewer sequences, fewer bits, or more devices.
record NearestFit(ServingSearch search, ServingRequest request, DevicePool pool, ServingSoftware software) {
    private static final int MAX_DEVICES = 64;

    List<String> sentences() {
        List<String> sentences = new ArrayList<>();
        prompt().ifPresent(tokens -> sentences.add("prompts of " + tokens + " tokens instead of " + request.input()));
        sequences()
                .ifPresent(count -> sentences.add(count + (count == 1 ? " sequence" : " sequences")
                        + " at once instead of " + request.concurrency()));
        format().ifPresent(format -> sentences.add("weights as " + format + " instead of " + request.format()));
        devices().ifPresent(count -> sentences.add(count + " devices of this kind instead of " + pool.count()));
        return sentences;
    }

    private Optional<Integer> prompt() {
        return largestThatFits(request.input() - 1, request::withInput);
    }

    private Optional<Integer> sequences() {
        return largestThatFits(request.concurrency() - 1, request::withConcurrency);
    }

    private Optional<Integer> largestThatFits(int most, IntFunction<ServingRequest> with) {
        int low = 0;
        int high = most;
        while (low < high) {
            int middle = low + (high - low + 1) / 2;
            if (search.fits(with.apply(middle), pool, software)) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low == 0 ? Optional.empty() : Optional.of(low);
    }

    private Optional<String> format() {
        for (String format : software == ServingSoftware.LLAMA_CPP
                ? List.of("q8_0", "q6_k", "q5_k_m", "q4_k_m", "q3_k_m", "q2_k")
                : List.of("fp8", "awq-int4")) {
            if (search.fits(request.withFormat(format), pool, software)) {
                return Optional.of(format);
            }
        }
        return Optional.empty();
    }

    private Optional<Integer> devices() {
        for (int count = pool.count() + 1; count <= MAX_DEVICES; count++) {
            if (search.fits(request, pool.withCount(count), software)) {
                return Optional.of(count);
            }
        }
        return Optional.empty();
    }
}
