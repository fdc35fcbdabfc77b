// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.Test;

class EventStreamTest {
    /// Nothing is written to it here; as many real connections would take more files than a process may open.
    private static final Response UNUSED = (Response)
            Proxy.newProxyInstance(Response.class.getClassLoader(), new Class<?>[] {Response.class}, (_, method, _) -> {
                throw new IllegalStateException(method.getName());
            });

    @Test
    void oneMoreThanTheMostIsRefused() {
        EventStream stream = new EventStream();
        for (int i = 0; i < EventStream.MOST_SUBSCRIBERS; i++) {
            stream.add(UNUSED, Callback.NOOP, () -> {});
        }
        assertThatThrownBy(() -> stream.add(UNUSED, Callback.NOOP, () -> {}))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("too many clients are listening already");
    }
}
