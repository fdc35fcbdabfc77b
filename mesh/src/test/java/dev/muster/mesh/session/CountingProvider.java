// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.session;

import dev.muster.mesh.collective.Engine;
import dev.muster.mesh.collective.EngineProvider;
import dev.muster.mesh.collective.EngineProvider.EngineContext;
import dev.muster.mesh.collective.GroupCall;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupIdentity;
import java.util.concurrent.atomic.AtomicInteger;

/// A backend as a third party would write it: it counts the calls of all engines and lets Muster's best carry them.
public final class CountingProvider implements EngineProvider {
    static final AtomicInteger CALLS = new AtomicInteger();

    private final String name;

    /// The one that is found as a service.
    public CountingProvider() {
        this("counting");
    }

    CountingProvider(String name) {
        this.name = name;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Engine open(GroupIdentity group, EngineContext context) {
        return new CountingEngine(name, context.openBest(group).engine());
    }

    private record CountingEngine(String name, Engine carrier) implements Engine {
        @Override
        public String reason() {
            return "calls are counted";
        }

        @Override
        public void execute(GroupCall call) {
            CALLS.incrementAndGet();
            carrier.execute(call);
        }

        @Override
        public void abort(GroupException reason) {
            carrier.abort(reason);
        }

        @Override
        public void close() {
            carrier.close();
        }
    }
}
