// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.jobs;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;

/// Asks the RAS service of an NCCL job for its state: lines of text over TCP (NCCL 2.24 and later; JSON since 2.28.7).
///
/// @param host a process of the job runs there
/// @param port `NCCL_RAS_ADDR` of the job, 28028 by default
/// @param limit time for the whole answer
record RasClient(String host, int port, Duration limit) {
    /// A job of 50,000 ranks answers with about 25 MB.
    private static final int MOST_BYTES = 32 << 20;

    private static final int MOST_LINE_BYTES = 4_096;
    /// The time that the service itself waits for silent processes; its default alone is as long as a visit may take.
    private static final int SILENT_SECONDS = 2;

    /// Returns the state as JSON, or as text where the job's NCCL has no JSON.
    ///
    /// @throws IOException if nobody answers in time, or somebody who is not the service
    String ask() throws IOException {
        long end = System.nanoTime() + limit.toNanos();
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getByName(host), port), left(end));
            InputStream in = socket.getInputStream();
            String hello = exchange(socket, in, "CLIENT PROTOCOL 2", end);
            if (!hello.toUpperCase(Locale.ROOT).startsWith("SERVER PROTOCOL ")) {
                throw new IOException("it is not the RAS service of NCCL");
            }
            exchange(socket, in, "TIMEOUT " + SILENT_SECONDS, end);
            // Those without JSON refuse the command, or say nothing at all that would end it.
            send(socket, "SET FORMAT json\nVERBOSE STATUS");
            String answer = readAll(socket, in, end);
            return answer.startsWith("OK\n") || answer.startsWith("ERROR")
                    ? answer.substring(answer.indexOf('\n') + 1)
                    : answer;
        }
    }

    private static int left(long end) throws IOException {
        long millis = (end - System.nanoTime()) / 1_000_000;
        if (millis <= 0) {
            throw new InterruptedIOException("no complete answer in time");
        }
        return (int) Math.min(Integer.MAX_VALUE, millis);
    }

    private static void send(Socket socket, String line) throws IOException {
        socket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    private static String exchange(Socket socket, InputStream in, String command, long end) throws IOException {
        send(socket, command);
        StringBuilder line = new StringBuilder();
        while (line.length() < MOST_LINE_BYTES) {
            socket.setSoTimeout(left(end));
            int next = in.read();
            if (next == '\n') {
                return line.toString();
            }
            if (next < 0) {
                throw new IOException("it closed the connection");
            }
            line.append((char) next);
        }
        throw new IOException("it is not the RAS service of NCCL");
    }

    /// The service closes the connection behind its answer.
    private static String readAll(Socket socket, InputStream in, long end) throws IOException {
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        byte[] buffer = new byte[16 << 10];
        while (true) {
            socket.setSoTimeout(left(end));
            int count = in.read(buffer);
            if (count < 0) {
                return answer.toString(StandardCharsets.UTF_8);
            }
            if (answer.size() + count > MOST_BYTES) {
                throw new IOException("its answer is larger than " + (MOST_BYTES >> 20) + " MiB");
            }
            answer.write(buffer, 0, count);
        }
    }
}
