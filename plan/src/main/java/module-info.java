// SPDX-License-Identifier: Apache-2.0
/// How a model runs on the devices of a registry.
module dev.muster.plan {
    requires transitive dev.muster.core;
    requires static org.jspecify;

    exports dev.muster.plan;
    exports dev.muster.plan.accuracy;
    exports dev.muster.plan.answer;
    exports dev.muster.plan.catalogue;
    exports dev.muster.plan.checkpoint;
    exports dev.muster.plan.cost;
    exports dev.muster.plan.launch;
    exports dev.muster.plan.memory;
    exports dev.muster.plan.model;
    exports dev.muster.plan.rules;
    exports dev.muster.plan.serving;
    exports dev.muster.plan.training;
}
