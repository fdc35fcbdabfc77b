// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import dev.muster.monitor.Sampler;
import dev.muster.monitor.Sampler.Sample;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Documents of the newest sample: each is built once for a sample. Safe to share between threads.
final class SampleDocuments {
    /// The number of documents kept of one sample: paths with a device's name are as many as devices.
    private static final int MOST = 256;

    private final Sampler sampler;
    private final String start;
    private volatile @Nullable Made made;

    /// @param start value that differs between two starts of the program, so that tags do
    SampleDocuments(Sampler sampler, String start) {
        this.sampler = sampler;
        this.start = start;
    }

    /// Returns the newest sample.
    ///
    /// @throws Refusal if there is none yet
    Sample newest() {
        return sampler.newest()
                .orElseThrow(() -> Refusal.busy("not-ready", "the first detection on this host is still running", 1));
    }

    /// Returns the newest sample; empty before the first.
    Optional<Sample> find() {
        return sampler.newest();
    }

    Answer answer(String name, Function<Sample, Answer> make) {
        return answer(newest(), name, make);
    }

    Answer answer(Sample sample, String name, Function<Sample, Answer> make) {
        Made known = made;
        if (known == null || known.sample.number() != sample.number()) {
            known = new Made(sample);
            made = known;
        }
        Answer answer = known.answers.get(name);
        if (answer == null) {
            answer = make.apply(sample);
            if (known.answers.size() < MOST) {
                known.answers.putIfAbsent(name, answer);
            }
        }
        return answer;
    }

    /// Returns the value of `ETag` for documents of a sample.
    String tag(Sample sample) {
        return "\"" + start + "-" + sample.number() + "\"";
    }

    private static final class Made {
        final Sample sample;
        final ConcurrentHashMap<String, Answer> answers = new ConcurrentHashMap<>();

        Made(Sample sample) {
            this.sample = sample;
        }
    }
}
