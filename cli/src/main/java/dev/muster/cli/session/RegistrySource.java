// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.session;

import dev.muster.cli.option.CommandException;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.json.DocumentException;
import dev.muster.core.json.RegistryDocument;
import dev.muster.detect.Detection;
import dev.muster.detect.host.Host;
import dev.muster.detect.timed.TimedTask;
import dev.muster.report.text.Printable;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// The source of registries: files, standard input, or this machine.
public record RegistrySource(DetectionRequest request, Host thisHost, System.Logger log, InputStream stdin) {
    private static final String STDIN = "-";
    private static final int MIB = 1 << 20;
    private static final double MILLIS = 1000.0;
    /// The time that a program needs to end if it leaves a thread behind.
    private static final long EXIT_MILLIS = 100;

    /// Asks the host.
    ///
    /// @throws CommandException if a recorded host was asked for and cannot be opened
    Detection detect() {
        return request.builder().build(request.host(thisHost), log).detectWithTiming();
    }

    /// Returns the time on this machine.
    Instant now() {
        return thisHost.clock().instant();
    }

    /// Asks a given host in the way that the options say.
    AcceleratorRegistry detect(Host host) {
        return request.builder().build(host, log).detect();
    }

    /// Returns the time limit of a detection.
    Duration limit() {
        return request.builder().limit();
    }

    /// Returns the host that is asked: this machine, or a recorded one.
    ///
    /// @throws CommandException if a recorded host was asked for and cannot be opened
    Host host() {
        return request.host(thisHost);
    }

    /// Reads a saved registry of any form, or the XML of hwloc.
    ///
    /// @throws CommandException if the file cannot be read or is not a registry
    AcceleratorRegistry read(String file) {
        String name = file.equals(STDIN) ? "standard input" : "'" + Printable.of(file) + "'";
        byte[] bytes = readBytes(file, name);
        if (HwlocInput.isXml(bytes)) {
            return HwlocInput.read(bytes, name);
        }
        try {
            return RegistryDocument.read(bytes);
        } catch (DocumentException e) {
            throw new CommandException("cannot read a registry from " + name, e);
        }
    }

    private byte[] readBytes(String file, String name) {
        if (file.equals(STDIN)) {
            try {
                return limited(stdin, name);
            } catch (IOException e) {
                throw new CommandException("cannot read " + name, e);
            }
        }
        // A pipe, or a file of a server that is gone, may never answer: only the thread that asks is left behind.
        FutureTask<byte[]> reading = new FutureTask<>(() -> readFile(file, name));
        Thread.ofPlatform().daemon().name(TimedTask.NAME + "registry").start(reading);
        Duration limit = request.builder().limit();
        try {
            return reading.get(Math.max(limit.toMillis() - EXIT_MILLIS, limit.toMillis() / 2), TimeUnit.MILLISECONDS);
        } catch (TimeoutException _) {
            throw new CommandException(
                    name + " was not read completely within " + limit.toMillis() / MILLIS + " s; increase --timeout");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandException("cannot read " + name, e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof CommandException known
                    ? known
                    : new CommandException("cannot read " + name, e);
        }
    }

    private static byte[] readFile(String file, String name) {
        try (InputStream stream = new FileInputStream(file)) {
            return limited(stream, name);
        } catch (FileNotFoundException _) {
            throw new CommandException(cannotOpen(new File(file), name));
        } catch (IOException e) {
            throw new CommandException("cannot read " + name, e);
        }
    }

    private static byte[] limited(InputStream stream, String name) throws IOException {
        byte[] bytes = stream.readNBytes(RegistryDocument.MAX_BYTES + 1);
        if (bytes.length > RegistryDocument.MAX_BYTES) {
            throw new CommandException(name + " is larger than " + RegistryDocument.MAX_BYTES / MIB
                    + " MiB, so it is not a registry; give a file written by 'muster detect --json'");
        }
        return bytes;
    }

    /// Returns a [File], not a path: the locale may be unable to spell the name, and then no path exists.
    private static String cannotOpen(File file, String name) {
        if (file.isDirectory()) {
            return name + " is a folder; give a file written by 'muster detect --json'";
        }
        return file.exists()
                ? "cannot read " + name + ": permission denied"
                : "file " + name + " not found; create one with 'muster detect --json > FILE'";
    }
}
