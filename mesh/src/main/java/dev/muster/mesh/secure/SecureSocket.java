// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.secure;

import dev.muster.mesh.secure.TlsPreamble.CrowdedException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A connected socket after its ends have agreed how to go on: in TLS or in the open. One thread may read while another
/// writes. The holder of the socket closes it.
public final class SecureSocket {
    private final DeadlineInput waiting;
    private final InputStream in;
    private final OutputStream out;
    private final Optional<TlsRecords> records;

    private SecureSocket(DeadlineInput waiting, InputStream in, OutputStream out, Optional<TlsRecords> records) {
        this.waiting = waiting;
        this.in = in;
        this.out = out;
        this.records = records;
    }

    /// The settings of the ends of connections on this side. Safe for use by many threads.
    public static final class End {
        private final TlsPolicy policy;
        private final Supplier<byte[]> seed;
        private @Nullable MeshTls tls;

        /// @param policy rule by which this side wants TLS
        /// @param seed seed of [MeshTls], used by the first connection that goes on in TLS
        public End(TlsPolicy policy, Supplier<byte[]> seed) {
            this.policy = policy;
            this.seed = seed;
        }

        /// The side that connected.
        ///
        /// @param deadline the moment of [System#nanoTime()] up to which this, and what is read, may take
        /// @throws PeerRefusedException if the other side does not have the key of the mesh, or wants
        ///     the opposite
        public SecureSocket connect(Socket socket, long deadline) throws IOException {
            return open(socket, true, deadline);
        }

        /// The side that was connected to.
        ///
        /// @param deadline the moment of [System#nanoTime()] up to which this, and what is read, may take
        /// @throws PeerRefusedException if the other side does not have the key of the mesh, or wants
        ///     the opposite
        public SecureSocket accept(Socket socket, long deadline) throws IOException {
            return open(socket, false, deadline);
        }

        private SecureSocket open(Socket socket, boolean connects, long deadline) throws IOException {
            DeadlineInput in = new DeadlineInput(socket, deadline);
            OutputStream out = socket.getOutputStream();
            TlsPolicy.Wish wish = policy.wish(socket.getLocalAddress(), socket.getInetAddress());
            if (!TlsPreamble.exchange(socket, in, out, wish)) {
                return new SecureSocket(in, in, out, Optional.empty());
            }
            TlsRecords records = new TlsRecords(tls().engine(connects));
            ReadableByteChannel from = Channels.newChannel(in);
            WritableByteChannel to = Channels.newChannel(out);
            records.handshake(from, to);
            return new SecureSocket(in, new Opening(records, from), new Sealing(records, to), Optional.of(records));
        }

        private synchronized MeshTls tls() {
            if (tls == null) {
                tls = MeshTls.of(seed.get());
            }
            return tls;
        }
    }

    /// Tells one that connected to come again later.
    public static void sendAway(Socket socket) throws IOException {
        TlsPreamble.sendAway(socket.getOutputStream());
    }

    /// Reports whether a failure means that the other side has no room now, and may have later.
    public static boolean isCrowded(IOException failure) {
        return failure instanceof CrowdedException;
    }

    /// From now on, reads end at that moment of [System#nanoTime()].
    public void until(long moment) {
        waiting.until(moment);
    }

    /// Returns the stream of bytes from the other side.
    public InputStream in() {
        return in;
    }

    /// Returns the stream of bytes to the other side; each write leaves at once.
    public OutputStream out() {
        return out;
    }

    /// The records of TLS, for who goes on over a channel; nothing where the connection is in the open.
    public Optional<TlsRecords> records() {
        return records;
    }

    private static final class Opening extends InputStream {
        private final TlsRecords records;
        private final ReadableByteChannel from;

        Opening(TlsRecords records, ReadableByteChannel from) {
            this.records = records;
            this.from = from;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            return records.read(from, ByteBuffer.wrap(bytes, offset, length));
        }
    }

    private static final class Sealing extends OutputStream {
        private final TlsRecords records;
        private final WritableByteChannel to;

        Sealing(TlsRecords records, WritableByteChannel to) {
            this.records = records;
            this.to = to;
        }

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            ByteBuffer data = ByteBuffer.wrap(bytes, offset, length);
            while (data.hasRemaining()) {
                records.write(to, data);
            }
            while (!records.flush(to)) {
                // A stream takes all of it.
            }
        }
    }
}
