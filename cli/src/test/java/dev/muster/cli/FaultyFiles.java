// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import dev.muster.detect.host.Host;
import dev.muster.detect.host.HostAnswer;
import dev.muster.detect.host.HostFiles;
import dev.muster.detect.host.OperatingSystem;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;

/// The files of a recorded host, one of which has a fault. The fault is a real file of this machine, read as the
/// program reads files.
///
/// @param files the files of the host
/// @param path the one with the fault
/// @param fault kind of the fault
/// @param faults the faults by file name
/// @param end released when files that hang are to answer
/// @param read the files that were read and have content
/// @param listed the folders that were listed and have content
record FaultyFiles(
        HostFiles files,
        String path,
        Fault fault,
        Path faults,
        CountDownLatch end,
        Set<String> read,
        Set<String> listed)
        implements HostFiles {
    private static final HostFiles LIVE = Host.live(OperatingSystem.LINUX, "amd64", Map.of(), InstantSource.system())
            .files();
    private static final int GARBAGE_BYTES = 3000;
    /// More than any file may have.
    private static final long ENDLESS_BYTES = 1L << 34;

    /// A fault of a file.
    enum Fault {
        NONE,
        PIPE,
        ENDLESS,
        HANGS,
        GARBAGE,
        EMPTY,
        GONE,
        /// A folder that may not be listed.
        CLOSED;

        /// Reports whether it is a fault of a folder.
        boolean isOfFolder() {
            return this == CLOSED;
        }

        /// Reports whether the content cannot be read at all, which differs from an empty file.
        boolean isLoss() {
            return this == PIPE || this == ENDLESS || this == HANGS;
        }
    }

    FaultyFiles(HostFiles files, String path, Fault fault, Path faults, CountDownLatch end) {
        this(files, path, fault, faults, end, new ConcurrentSkipListSet<>(), new ConcurrentSkipListSet<>());
    }

    /// Makes the faults.
    static void make(Path folder, Random random) throws IOException, InterruptedException {
        String pipe = folder.resolve(Fault.PIPE.name()).toString();
        if (new ProcessBuilder("mkfifo", pipe).start().waitFor() != 0) {
            throw new IOException("no pipe could be made: " + pipe);
        }
        byte[] garbage = new byte[GARBAGE_BYTES];
        random.nextBytes(garbage);
        Files.write(folder.resolve(Fault.GARBAGE.name()), garbage);
        Files.createFile(folder.resolve(Fault.EMPTY.name()));
        try (RandomAccessFile endless =
                new RandomAccessFile(folder.resolve(Fault.ENDLESS.name()).toFile(), "rw")) {
            endless.setLength(ENDLESS_BYTES);
        }
    }

    @Override
    public HostAnswer<String> read(String asked, int maxBytes) {
        if (fault == Fault.NONE || fault.isOfFolder() || !asked.equals(path)) {
            HostAnswer<String> outcome = files.read(asked, maxBytes);
            if (outcome instanceof HostAnswer.Found<String>) {
                read.add(asked);
            }
            return outcome;
        }
        if (fault == Fault.HANGS) {
            hang();
        }
        return LIVE.read(faults.resolve(fault.name()).toString(), maxBytes);
    }

    /// As a driver does: no interruption helps.
    private void hang() {
        boolean interrupted = false;
        while (end.getCount() > 0) {
            try {
                end.await();
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public HostAnswer<List<String>> list(String asked) {
        HostAnswer<List<String>> answer = files.list(asked);
        if (!(answer instanceof HostAnswer.Found<List<String>>(List<String> names)) || names.isEmpty()) {
            return answer;
        }
        listed.add(asked);
        if (!fault.isOfFolder() || !asked.equals(path)) {
            return answer;
        }
        return new HostAnswer.NotPermitted<>("permission denied");
    }

    @Override
    public boolean exists(String asked) {
        return files.exists(asked);
    }

    @Override
    public Optional<String> findLink(String asked) {
        return files.findLink(asked);
    }

    @Override
    public Optional<String> findRealPath(String asked) {
        return files.findRealPath(asked);
    }
}
