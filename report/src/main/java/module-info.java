// SPDX-License-Identifier: Apache-2.0
/// Answers as text, documents and pictures.
@SuppressWarnings("module") // the one that it exports a package to is compiled after it
module dev.muster.report {
    requires transitive dev.muster.core;
    requires transitive dev.muster.model;
    requires transitive dev.muster.plan;
    requires transitive dev.muster.evidence;
    requires transitive dev.muster.mesh;
    requires transitive dev.muster.fleet;
    requires static org.jspecify;

    exports dev.muster.report;
    exports dev.muster.report.sentence;
    exports dev.muster.report.terminal;
    exports dev.muster.report.host to
            dev.muster.server;
    exports dev.muster.report.plan to
            dev.muster.server;
    exports dev.muster.report.topology to
            dev.muster.server;
}
