// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.tcp;

import dev.muster.mesh.secure.TlsRecords;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/// The channel that carries the bytes of a connection. Never waits. Confined to one thread, except for [#close()].
sealed interface ByteStream {
    /// Reads what has come.
    ///
    /// @return the number of bytes; zero if none are there yet; negative at the end
    int read(ByteBuffer into) throws IOException;

    /// Takes as much as there is room for now.
    ///
    /// @return the number of bytes; some may wait until [#flush()]
    int write(ByteBuffer from) throws IOException;

    /// Sends what was taken and still waits; whether nothing does any more.
    boolean flush() throws IOException;

    /// Ends the connection; a thread that moves something gets an [IOException].
    void close() throws IOException;

    /// Bytes as they are.
    record Open(SocketChannel channel) implements ByteStream {
        @Override
        public int read(ByteBuffer into) throws IOException {
            return channel.read(into);
        }

        @Override
        public int write(ByteBuffer from) throws IOException {
            return channel.write(from);
        }

        @Override
        public boolean flush() {
            return true;
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    /// Bytes in records of TLS.
    record Encrypted(SocketChannel channel, TlsRecords records) implements ByteStream {
        @Override
        public int read(ByteBuffer into) throws IOException {
            return records.read(channel, into);
        }

        @Override
        public int write(ByteBuffer from) throws IOException {
            return records.write(channel, from);
        }

        @Override
        public boolean flush() throws IOException {
            return records.flush(channel);
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
