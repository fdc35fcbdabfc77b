// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.secure;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;

/// Reads from a socket until a moment: who sends a byte now and then does not get more time than who sends none.
/// Confined to one thread at a time.
final class DeadlineInput extends InputStream {
    private static final int LEAST_MILLIS = 1;

    private final Socket socket;
    private final InputStream in;
    private long deadline;

    DeadlineInput(Socket socket, long deadline) throws IOException {
        this.socket = socket;
        this.in = socket.getInputStream();
        this.deadline = deadline;
    }

    /// From now on, reads end at that moment of [System#nanoTime()].
    void until(long moment) {
        deadline = moment;
    }

    @Override
    public int read() throws IOException {
        waitNoLonger();
        return in.read();
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        waitNoLonger();
        return in.read(bytes, offset, length);
    }

    /// Never waits: a channel over this stream asks before it reads on.
    @Override
    public int available() throws IOException {
        return in.available();
    }

    private void waitNoLonger() throws IOException {
        long left = (deadline - System.nanoTime()) / 1_000_000;
        if (left <= 0) {
            throw new SocketTimeoutException("the expected bytes did not arrive in time");
        }
        socket.setSoTimeout(Math.clamp(left, LEAST_MILLIS, Integer.MAX_VALUE));
    }
}
