// SPDX-License-Identifier: Apache-2.0
/// Devices arranged in a mesh, and processes that talk to each other as its ranks.
@SuppressWarnings("module") // the one that it exports two packages to is compiled after it
module dev.muster.mesh {
    requires transitive dev.muster.core;
    requires static org.jspecify;
    requires jdk.jfr;

    exports dev.muster.mesh;
    exports dev.muster.mesh.collective;
    exports dev.muster.mesh.cuda;
    exports dev.muster.mesh.doctor to
            dev.muster.cli;
    exports dev.muster.mesh.fake;
    exports dev.muster.mesh.launch;
    exports dev.muster.mesh.ops;
    exports dev.muster.mesh.session;
    exports dev.muster.mesh.store;
    exports dev.muster.mesh.bench to
            dev.muster.report;
    exports dev.muster.mesh.jobs to
            dev.muster.cli;
    exports dev.muster.mesh.rehearse to
            dev.muster.report;

    uses dev.muster.mesh.collective.EngineProvider;
}
