// SPDX-License-Identifier: Apache-2.0
/// Measurements of models on devices: how well predictions hold against them, and corrections by one's own.
module dev.muster.evidence {
    requires transitive dev.muster.core;
    requires transitive dev.muster.model;
    requires transitive dev.muster.plan;
    requires static org.jspecify;

    exports dev.muster.evidence;
    exports dev.muster.evidence.measured;
}
