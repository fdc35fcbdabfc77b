// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import dev.muster.plan.cost.DeviceMemoryUse;
import dev.muster.plan.cost.MeasuredClass;
import dev.muster.plan.cost.MemoryTerm;
import dev.muster.plan.cost.Parallelism;
import dev.muster.plan.cost.StepTime;
import dev.muster.plan.simulate.StepTimes;
import dev.muster.plan.time.StepLedger;
import java.util.List;

/// Memory and time of one layout of one replica of a model under an engine.
public interface LayoutModel {
    /// Returns the memory of each device while a replica runs a number of sequences.
    ///
    /// @param tokens tokens of a sequence, prompt and answer
    DeviceMemoryUse memory(int sequences, int tokens);

    /// Returns the terms of [#memory(int, int)].
    List<MemoryTerm> memoryTerms(int sequences);

    /// Returns the time until the first token of one prompt on an idle replica.
    ///
    /// @param ledger records its terms
    StepTime timeToFirstToken(StepLedger ledger);

    /// Returns one step of all sequences of a replica: the time between two tokens of each.
    ///
    /// @param ledger records its terms
    StepTime step(int sequences, StepLedger ledger);

    /// Returns the seconds that a replica spends on the prompt of one sequence when others run too.
    double prefillWork();

    /// Returns the seconds that a replica spends on one token of one sequence.
    double decodeWork(int sequences);

    /// Returns the part of [#prefillWork()] that counts as busy for the power that each device draws.
    double prefillActivity();

    /// Returns the part of [#decodeWork(int)] that counts as busy for the power that each device draws.
    double decodeActivity(int sequences);

    /// Reports whether the engine was measured on such devices.
    boolean isMeasured();

    /// Returns the class of measurements whose errors give the interval of a predicted rate of tokens.
    MeasuredClass speedClass(int sequences);

    /// Returns the class of measurements whose errors give the interval of a predicted time to the first token.
    MeasuredClass prefillClass();

    /// Returns step times in the parts that a simulation sums.
    StepTimes stepTimes();

    Parallelism layout();
}
