// SPDX-License-Identifier: Apache-2.0
/// Plans of how models run on the devices of a registry.
@SuppressWarnings("module") // the one that it exports some packages to is compiled after it
module dev.muster.plan {
    requires transitive dev.muster.core;
    requires transitive dev.muster.model;
    requires static org.jspecify;

    exports dev.muster.plan;
    exports dev.muster.plan.answer;
    exports dev.muster.plan.ask;
    exports dev.muster.plan.catalogue;
    exports dev.muster.plan.cost;
    exports dev.muster.plan.launch;
    exports dev.muster.plan.price;
    exports dev.muster.plan.rules;
    exports dev.muster.plan.serving;
    exports dev.muster.plan.training;
    exports dev.muster.plan.engine to
            dev.muster.evidence;
    exports dev.muster.plan.simulate to
            dev.muster.evidence;
    exports dev.muster.plan.time to
            dev.muster.evidence;

    // Its tables are read by the reader of `model`.
    opens dev.muster.plan.catalogue to
            dev.muster.model;
    opens dev.muster.plan.engine to
            dev.muster.model;
    opens dev.muster.plan.launch to
            dev.muster.model;
    opens dev.muster.plan.price to
            dev.muster.model;
    opens dev.muster.plan.search to
            dev.muster.model;
    opens dev.muster.plan.simulate to
            dev.muster.model;
    opens dev.muster.plan.time to
            dev.muster.model;
}
