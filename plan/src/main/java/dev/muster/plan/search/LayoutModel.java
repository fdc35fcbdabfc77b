// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import dev.muster.plan.answer.DeviceMemoryUse;
import dev.muster.plan.answer.MemoryTerm;
import dev.muster.plan.cost.MeasuredClass;
import dev.muster.plan.cost.StepLayout;
import dev.muster.plan.cost.StepTime;
import dev.muster.plan.simulate.StepTimes;
import dev.muster.plan.time.StepLedger;
import java.util.List;

/// Memory and time of one layout of one replica of a model, as an engine makes it.
interface LayoutModel {
    /// What each device holds while a replica runs so many sequences.
    ///
    /// @param tokens those of a sequence, prompt and answer
    DeviceMemoryUse memory(int sequences, int tokens);

    /// What [#memory(int, int)] is made of, part by part.
    List<MemoryTerm> memoryTerms(int sequences);

    /// The time until the first token of one prompt on an idle replica.
    ///
    /// @param ledger takes down what it is made of
    StepTime timeToFirstToken(StepLedger ledger);

    /// One step of all sequences of a replica: the time between two tokens of each.
    ///
    /// @param ledger takes down what it is made of
    StepTime step(int sequences, StepLedger ledger);

    /// The seconds that a replica spends on the prompt of one sequence when others run too.
    double prefillWork();

    /// The seconds that a replica spends on one token of one sequence.
    double decodeWork(int sequences);

    /// The part of [#prefillWork()] that counts as busy for the power that each device draws.
    double prefillActivity();

    /// The part of [#decodeWork(int)] that counts as busy for the power that each device draws.
    double decodeActivity(int sequences);

    /// Whether the engine was measured on such devices.
    boolean isMeasured();

    /// The measurements whose errors tell how far a predicted rate of tokens may be off.
    MeasuredClass speedClass(int sequences);

    /// The measurements whose errors tell how far a predicted time to the first token may be off.
    MeasuredClass prefillClass();

    /// Steps in the parts that a simulation sums.
    StepTimes stepTimes();

    /// The layout.
    StepLayout layout();
}
