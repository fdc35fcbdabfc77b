// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.host;

import static dev.muster.detect.FuzzText.declared;
import static dev.muster.detect.FuzzText.text;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.muster.detect.text.CpuSet;
import dev.muster.detect.text.MeminfoParser;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/// Fuzz test: content of a bundle and the files of a host; any input ends in a result or a declared failure.
final class HostFuzzTest {
    @FuzzTest
    void archive(byte[] data) {
        try {
            BundleStore store = BundleStore.ArchiveStore.read(new ByteArrayInputStream(data));
            RecordedHost.of(store).files().list("/sys");
        } catch (IOException | BundleException expected) {
            declared(expected);
        }
    }

    @FuzzTest
    void description(byte[] data) {
        openBundle("bundle.json", data);
    }

    @FuzzTest
    void commands(byte[] data) {
        openBundle("commands.json", data);
    }

    @FuzzTest
    void variables(byte[] data) {
        openBundle("env.json", data);
    }

    @FuzzTest
    void cpuSet(byte[] data) {
        String text = text(data);
        CpuSet.parseList(text).ifPresent(HostFuzzTest::look);
        CpuSet.parseMask(text).ifPresent(HostFuzzTest::look);
    }

    @FuzzTest
    void meminfo(byte[] data) {
        MeminfoParser.find(text(data), "MemTotal");
    }

    private static void look(CpuSet cpus) {
        cpus.count();
        cpus.findFirst();
        cpus.findLast();
        cpus.isPartOf(cpus);
    }

    /// Opens a bundle that is sound but for one file.
    private static void openBundle(String name, byte[] content) {
        Map<String, byte[]> files = new HashMap<>();
        String description = "{\"schema\": 1, \"created\": \"2026-01-31T12:00:00Z\"}";
        files.put("bundle.json", description.getBytes(StandardCharsets.UTF_8));
        files.put("out.txt", new byte[0]);
        files.put(name, content);
        try {
            RecordedHost.of(new BundleStore.ArchiveStore(files, new RecordedTree.InMemory()));
        } catch (BundleException expected) {
            declared(expected);
        }
    }
}
