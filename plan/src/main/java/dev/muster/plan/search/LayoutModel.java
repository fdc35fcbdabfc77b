package dev.muster.plan.search;

import dev.muster.plan.accuracy.MeasuredClass;
import dev.muster.plan.time.StepLayout;
import dev.muster.plan.time.StepTime;

/// Memory and time of one layout of one copy of a model, as an engine makes it.
interface LayoutModel {
    /// What each device holds while a copy runs so many sequences.
    DeviceMemoryUse memory(int sequences);

    /// The time until the first token of one prompt.
    double firstToken();

    /// One step of all sequences of a copy: the time between two tokens of each.
    StepTime step(int sequences);

    /// The seconds that a copy spends on the prompt of one sequence when others run too.
    double promptWork();

    /// The seconds that a copy spends on one token of one sequence.
    double tokenWork(int sequences);

    /// Whether the engine was measured on such devices.
    boolean isMeasured();

    /// The measurements whose errors tell how far a predicted rate of tokens may be off.
    MeasuredClass speedClass(int sequences);

    /// The measurements whose errors tell how far a predicted time to the first token may be off.
    MeasuredClass promptClass();

    /// The layout.
    StepLayout layout();
}
