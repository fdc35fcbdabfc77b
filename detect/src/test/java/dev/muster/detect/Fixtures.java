// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect;

import dev.muster.testing.Need;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;

/// Recorded and written texts that tests read.
public final class Fixtures {
    private static final Path OWN = Path.of("src/test/resources/fixtures");

    private Fixtures() {}

    public static String own(String name) throws IOException {
        return Files.readString(OWN.resolve(name));
    }

    /// A recording; without the folder of recordings the test is skipped, and says so. Bytes that are not UTF-8 are
    /// replaced, as they are when a tool prints them.
    public static String shared(String name) throws IOException {
        return new String(Files.readAllBytes(sharedFile(name)), StandardCharsets.UTF_8);
    }

    /// A recorded archive, unpacked: `.tar.gz` or `.tar.bz2`.
    public static InputStream sharedTar(String name) throws IOException {
        return tar(sharedFile(name));
    }

    /// An archive of the repository's own.
    public static InputStream ownTar(String name) throws IOException {
        return tar(OWN.resolve(name));
    }

    private static InputStream tar(Path file) throws IOException {
        InputStream packed = new BufferedInputStream(Files.newInputStream(file));
        return file.toString().endsWith(".bz2")
                ? new BZip2CompressorInputStream(packed)
                : new BufferedInputStream(new GZIPInputStream(packed));
    }

    private static Path sharedFile(String name) {
        return Need.recording("fixtures/" + name);
    }
}
