// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.live;

import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandException;
import dev.muster.monitor.RegistryRecorder;
import dev.muster.monitor.RegistryRecording;
import dev.muster.report.text.Printable;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;

/// The files of `top`, and its user.
final class TopFiles {
    private TopFiles() {}

    /// Opens a recording.
    ///
    /// @throws CommandException if it cannot be opened; a pipe is not, since to open one could take for ever
    static RegistryRecording recording(String file) {
        String name = "'" + Printable.of(file) + "'";
        File found = new File(file);
        if (!found.exists()) {
            throw new CommandException("file " + name + " not found; record one with 'muster top --record FILE'");
        }
        if (!found.isFile()) {
            throw new CommandException(name + " is not a regular file; give one written by 'muster top --record FILE'");
        }
        try {
            return RegistryRecording.of(new FileInputStream(found));
        } catch (IOException e) {
            throw new CommandException("cannot read " + name, e);
        }
    }

    /// Opens the file of `--record` at its end; nothing without it.
    ///
    /// @throws CommandException if it cannot be written
    static RegistryRecorder recorder(Arguments arguments) {
        String file = arguments.find(TopCommand.RECORD).orElse("");
        if (!arguments.has(TopCommand.RECORD)) {
            return RegistryRecorder.toNowhere();
        }
        File found = new File(file);
        if (found.exists() && !found.isFile()) {
            throw new CommandException("'" + Printable.of(file) + "' is not a regular file; --record writes to one");
        }
        try {
            boolean isCut = isCut(found);
            FileOutputStream stream = new FileOutputStream(found, true);
            if (isCut) {
                stream.write('\n');
            }
            return RegistryRecorder.of(stream);
        } catch (IOException e) {
            throw new CommandException("cannot write '" + Printable.of(file) + "'", e);
        }
    }

    static String user() {
        return ProcessHandle.current().info().user().orElse("");
    }

    /// Reports whether the last line of a file has no end, as where a writer died.
    private static boolean isCut(File file) throws IOException {
        if (file.length() == 0) {
            return false;
        }
        try (RandomAccessFile end = new RandomAccessFile(file, "r")) {
            end.seek(file.length() - 1);
            return end.read() != '\n';
        }
    }
}
