// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import dev.muster.plan.cost.StepTerm.StepPart;
import dev.muster.plan.cost.StepTime;
import dev.muster.plan.serving.ImageInput;
import dev.muster.plan.time.StepLedger;

/// The time that an encoder of images takes before a prompt is processed.
final class ImageWork {
    /// Share of the peak that encoders of a few hundred million parameters reach, as vision encoders of
    /// [dev.muster.plan.time.TaskModel] do; not measured on chat models.
    private static final double SHARE = 0.35;

    private ImageWork() {}

    /// Returns the time for the images of one prompt.
    ///
    /// @param sharers devices that share the encoder
    static StepTime time(Candidate candidate, double sharers, StepLedger ledger) {
        ImageInput images = candidate.request().images();
        if (!images.isAny()) {
            return new StepTime(0, 0, 0, 0, 0, 0);
        }
        double rate = SHARE * candidate.device().half();
        double operations = images.operations() / sharers;
        double seconds = operations / rate;
        ledger.add(StepPart.PRODUCTS, "image encoder", 0, 0, operations, rate, 0, seconds);
        return new StepTime(seconds, 0, 0, 0, 0, 0);
    }
}
