// SPDX-License-Identifier: Apache-2.0
/// Measurements of models on devices: the accuracy of predictions, and corrections by a user's own runs.
module dev.muster.evidence {
    requires transitive dev.muster.core;
    requires transitive dev.muster.model;
    requires transitive dev.muster.plan;
    requires static org.jspecify;

    exports dev.muster.evidence;
    exports dev.muster.evidence.measured;

    // Its tables are read by the reader of `model`.
    opens dev.muster.evidence.measured to
            dev.muster.model;
}
