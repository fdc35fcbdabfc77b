// SPDX-License-Identifier: Apache-2.0
package dev.muster.server.socket;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SelectorManager;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.AbstractConnector;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.thread.Scheduler;

/// A connector that accepts clients of a Unix socket, as Jetty's `ServerConnector` accepts those of a port: that one
/// asks each channel for a `Socket`, which channels of Unix sockets do not have. Stopping it closes and deletes the
/// file.
public final class SocketFileConnector extends AbstractConnector {
    private final SocketFile file;
    private final int sendBuffer;
    private final ClientSelectors selectors;

    /// @param sendBuffer send buffer in the kernel for a client that does not read, in bytes
    public SocketFileConnector(Server server, SocketFile file, int sendBuffer, ConnectionFactory protocol) {
        super(server, null, null, null, 1, protocol);
        this.file = file;
        this.sendBuffer = sendBuffer;
        this.selectors = new ClientSelectors(getExecutor(), getScheduler());
        addBean(selectors, true);
    }

    @Override
    protected void doStart() throws Exception {
        getBeans(SelectorManager.SelectorManagerListener.class).forEach(selectors::addEventListener);
        super.doStart();
    }

    @Override
    protected void doStop() throws Exception {
        file.close();
        super.doStop();
        getBeans(SelectorManager.SelectorManagerListener.class).forEach(selectors::removeEventListener);
    }

    @Override
    public CompletableFuture<Void> shutdown() {
        try {
            file.close();
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
        return super.shutdown();
    }

    @Override
    protected void accept(int acceptor) throws IOException {
        SocketChannel client = file.channel().accept();
        client.configureBlocking(false);
        client.setOption(StandardSocketOptions.SO_SNDBUF, sendBuffer);
        selectors.accept(client);
    }

    @Override
    protected boolean handleAcceptFailure(Throwable failure) {
        return file.channel().isOpen() && super.handleAcceptFailure(failure);
    }

    @Override
    public Object getTransport() {
        return file.channel();
    }

    private final class ClientSelectors extends SelectorManager {
        ClientSelectors(Executor executor, Scheduler scheduler) {
            super(executor, scheduler, 1);
        }

        @Override
        protected EndPoint newEndPoint(SelectableChannel channel, ManagedSelector selector, SelectionKey key) {
            SocketChannelEndPoint client =
                    new SocketChannelEndPoint((SocketChannel) channel, selector, key, getScheduler());
            client.setIdleTimeout(getIdleTimeout());
            return client;
        }

        @Override
        public Connection newConnection(SelectableChannel channel, EndPoint client, Object attachment) {
            return getDefaultConnectionFactory().newConnection(SocketFileConnector.this, client);
        }

        @Override
        protected void endPointOpened(EndPoint client) {
            super.endPointOpened(client);
            onEndPointOpened(client);
        }

        @Override
        protected void endPointClosed(EndPoint client) {
            onEndPointClosed(client);
            super.endPointClosed(client);
        }
    }
}
