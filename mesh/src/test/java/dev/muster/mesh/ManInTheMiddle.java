// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/// Stands between those who connect and those they mean, hands their bytes on, and does something to the next ones when
/// it is told to: to those that go towards the one that was meant.
public final class ManInTheMiddle implements AutoCloseable {
    /// Changes to bytes that pass.
    public enum Trick {
        /// They pass as they are.
        NONE,
        /// One bit is another.
        FLIP,
        /// They come twice.
        REPEAT,
        /// They do not come, and what follows them does.
        LEAVE_OUT,
        /// Half of them come, and then nothing.
        CUT
    }

    private final ServerSocket listener;
    private final InetSocketAddress meant;
    private final List<Socket> sockets = new ArrayList<>();
    private final AtomicReference<Trick> next = new AtomicReference<>(Trick.NONE);

    private ManInTheMiddle(ServerSocket listener, InetSocketAddress meant) {
        this.listener = listener;
        this.meant = meant;
    }

    /// One that hands on to an address.
    public static ManInTheMiddle before(InetSocketAddress meant) throws IOException {
        ManInTheMiddle man = new ManInTheMiddle(new ServerSocket(0, 8, InetAddress.getLoopbackAddress()), meant);
        Thread.ofPlatform().daemon().start(man::accept);
        return man;
    }

    /// Returns the address that it listens at.
    public InetSocketAddress address() {
        return (InetSocketAddress) listener.getLocalSocketAddress();
    }

    /// Does this to the next bytes.
    public void play(Trick trick) {
        next.set(trick);
    }

    private void accept() {
        try {
            while (true) {
                Socket near = listener.accept();
                Socket far = new Socket(meant.getAddress(), meant.getPort());
                synchronized (sockets) {
                    sockets.addAll(List.of(near, far));
                }
                near.setTcpNoDelay(true);
                far.setTcpNoDelay(true);
                Thread.ofPlatform().daemon().start(() -> pass(near, far, true));
                Thread.ofPlatform().daemon().start(() -> pass(far, near, false));
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    private void pass(Socket from, Socket to, boolean changes) {
        byte[] bytes = new byte[64 << 10];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
                switch (changes ? next.getAndSet(Trick.NONE) : Trick.NONE) {
                    case NONE -> out.write(bytes, 0, count);
                    case FLIP -> {
                        bytes[count / 2] ^= 4;
                        out.write(bytes, 0, count);
                    }
                    case REPEAT -> {
                        out.write(bytes, 0, count);
                        out.write(bytes, 0, count);
                    }
                    case LEAVE_OUT -> {
                        // Gone.
                    }
                    case CUT -> {
                        out.write(bytes, 0, count / 2);
                        return;
                    }
                }
            }
        } catch (IOException e) {
            // One of the two has ended.
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        synchronized (sockets) {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }
}
