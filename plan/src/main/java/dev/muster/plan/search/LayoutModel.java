package dev.muster.plan.search;

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

    /// The layout.
    StepLayout layout();
}
