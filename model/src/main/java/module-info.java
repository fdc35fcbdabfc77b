// SPDX-License-Identifier: Apache-2.0
/// Models: their architectures, the files that hold them, and the memory that weights and caches take.
@SuppressWarnings("module") // those that it exports some packages to are compiled after it
module dev.muster.model {
    requires transitive dev.muster.core;
    requires static org.jspecify;

    exports dev.muster.model;
    exports dev.muster.model.catalogue;
    exports dev.muster.model.checkpoint;
    exports dev.muster.model.memory;
    exports dev.muster.model.table to
            dev.muster.plan,
            dev.muster.evidence;
    exports dev.muster.model.tensor to
            dev.muster.plan,
            dev.muster.evidence;
}
