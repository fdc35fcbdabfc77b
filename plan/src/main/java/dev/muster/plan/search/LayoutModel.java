package dev.muster.plan.search;

import dev.muster.plan.accuracy.MeasuredClass;
import dev.muster.plan.time.StepLayout;
import dev.muster.plan.time.StepLedger;
import dev.muster.plan.time.StepTime;
import java.util.List;

/// Memory and time of one layout of one copy of a model, as an engine makes it.
interface LayoutModel {
    /// What each device holds while a copy runs so many sequences.
    DeviceMemoryUse memory(int sequences);

    /// What [#memory(int)] is made of, part by part.
    List<MemoryTerm> memoryTerms(int sequences);

    /// The time until the first token of one prompt on an idle copy.
    ///
    /// @param ledger takes down what it is made of
    StepTime firstToken(StepLedger ledger);

    /// One step of all sequences of a copy: the time between two tokens of each.
    ///
    /// @param ledger takes down what it is made of
    StepTime step(int sequences, StepLedger ledger);

    /// The seconds that a copy spends on the prompt of one sequence when others run too.
    double promptWork();

    /// The seconds that a copy spends on one token of one sequence.
    double tokenWork(int sequences);

    /// The part of [#promptWork()] that counts as busy for the power that each device draws.
    double promptActivity();

    /// The part of [#tokenWork(int)] that counts as busy for the power that each device draws.
    double tokenActivity(int sequences);

    /// Whether the engine was measured on such devices.
    boolean isMeasured();

    /// The measurements whose errors tell how far a predicted rate of tokens may be off.
    MeasuredClass speedClass(int sequences);

    /// The measurements whose errors tell how far a predicted time to the first token may be off.
    MeasuredClass promptClass();

    /// The layout.
    StepLayout layout();
}
