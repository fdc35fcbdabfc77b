// SPDX-License-Identifier: Apache-2.0
/// A host's devices over HTTP: metrics, documents, events and a page.
module dev.muster.server {
    requires transitive dev.muster.core;
    requires transitive dev.muster.monitor;
    requires transitive dev.muster.fleet;
    requires transitive dev.muster.plan;
    requires dev.muster.report;
    requires java.net.http;
    requires org.eclipse.jetty.server;
    requires org.eclipse.jetty.http;
    requires org.eclipse.jetty.io;
    requires org.eclipse.jetty.util;
    requires static org.jspecify;

    exports dev.muster.server;
}
