// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.store;

import dev.muster.testing.Waiting;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/// A member of a store in a process of its own, for tests: says each step on standard output.
final class StoreMember {
    private static final Duration LIMIT = Waiting.limit(Duration.ofSeconds(60));

    private StoreMember() {}

    /// Usage: `file FOLDER TASK…` or `tcp PORT SILENCE_MS TASK…`.
    static void main(String[] words) throws IOException {
        boolean file = words[0].equals("file");
        TcpStoreConfig config = TcpStoreConfig.of(StoreKind.SECRET);
        Store store = file
                ? FileLog.openStore(Path.of(words[1]))
                : TcpStore.connect(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(words[1])),
                        config.withSilence(Duration.ofMillis(Long.parseLong(words[2]))),
                        LIMIT);
        int at = file ? 2 : 3;
        say("open");
        switch (words[at]) {
            case "add" -> add(store, Integer.parseInt(words[at + 1]));
            case "write-for-ever" -> writeForEver(store);
            case "join" -> join(store, words[at + 1]);
            case "await" -> await(store, words[at + 1]);
            case "hold-lock" -> FileLogLock.hold(Path.of(words[1]), () -> say("locked"));
            default -> throw new IllegalArgumentException(words[at]);
        }
        store.close();
        say("closed");
    }

    private static void add(Store store, int count) {
        long last = 0;
        for (int i = 0; i < count; i++) {
            last = store.add("count", 1);
        }
        say("last " + last);
    }

    private static void writeForEver(Store store) {
        byte[] value = new byte[200_000];
        for (long i = 0; ; i++) {
            store.set("large/" + i % 8, value);
            store.set("written", Long.toString(i).getBytes(StandardCharsets.US_ASCII));
            if (i == 10) {
                say("writing");
            }
        }
    }

    /// Takes part until it is told to leave on standard input.
    private static void join(Store store, String name) throws IOException {
        store.setEphemeral("member/" + name, new byte[] {1});
        store.setOnLoss("lost/" + name, "without a word".getBytes(StandardCharsets.UTF_8));
        say("joined");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String line = in.readLine();
        try {
            store.find("anything");
            say("still in after " + line);
        } catch (StoreException e) {
            say(e.code().text());
        }
    }

    private static void await(Store store, String key) {
        say("waiting");
        try {
            say("got " + new String(store.await(key, LIMIT), StandardCharsets.UTF_8));
        } catch (StoreException e) {
            say(e.code().text());
        }
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
