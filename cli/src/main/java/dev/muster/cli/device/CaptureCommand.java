// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.device;

import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandException;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.option.CommonOptions;
import dev.muster.cli.option.ExitCode;
import dev.muster.cli.option.OptionSpec;
import dev.muster.cli.option.UsageException;
import dev.muster.cli.session.Command;
import dev.muster.cli.session.Session;
import dev.muster.core.AcceleratorProfile;
import dev.muster.detect.host.DetectException;
import dev.muster.detect.host.HostCapture;
import dev.muster.report.text.Count;
import dev.muster.report.text.Printable;
import java.io.File;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// `muster capture`: records what detection reads of this machine, so that it can be asked anywhere.
public final class CaptureCommand implements Command {
    /// Stands where other commands have the format: what is written here is always a bundle.
    static final OptionSpec FILE = OptionSpec.value("output", "FILE", "bundle to write (default: host.tar.gz)")
            .withLetter("o");

    static final OptionSpec KEEP_IDS =
            OptionSpec.flag("keep-ids", "keep UUIDs, serial numbers and program names instead of masking them");

    private static final String DEFAULT_FILE = "host.tar.gz";

    @Override
    public CommandTitle title() {
        return CommandTitle.of("capture", "record this machine for a bug report");
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of(title())
                .with(FILE, KEEP_IDS)
                .printing(List.of())
                .example("muster capture -o host.tar.gz", "record this machine with identifiers masked")
                .example("muster detect --host host.tar.gz", "read the recording on any machine");
    }

    @Override
    public int run(Arguments arguments, Session session) {
        if (arguments.has(CommonOptions.REGISTRY)) {
            throw new UsageException("capture records a host, not a registry");
        }
        arguments.refuse(CommonOptions.WHAT_IF, "capture records a host as it is");
        String file = arguments.find(FILE).orElse(DEFAULT_FILE);
        requireFolder(file);
        List<AcceleratorProfile> seen = new ArrayList<>();
        try {
            HostCapture.Summary summary = HostCapture.write(
                    session.host(),
                    host -> seen.addAll(session.detect(host).profiles()),
                    Path.of(file),
                    arguments.has(KEEP_IDS));
            session.note("muster: wrote " + Printable.of(file) + " with "
                    + Count.of(summary.files(), "file") + " and "
                    + Count.of(summary.commands(), "tool run") + "; "
                    + Count.of(seen.size(), "device") + " found"
                    + (arguments.has(KEEP_IDS) ? "; identifiers are NOT masked" : "; identifiers are masked"));
            return ExitCode.OK;
        } catch (DetectException e) {
            throw new CommandException(Printable.of(e));
        } catch (InvalidPathException _) {
            throw new CommandException("'" + Printable.of(file) + "' is not a valid file name");
        }
    }

    /// Said before anything is recorded, and in the user's words.
    private static void requireFolder(String file) {
        File folder = new File(file).getAbsoluteFile().getParentFile();
        if (folder != null && !folder.isDirectory()) {
            throw new CommandException("cannot write '" + Printable.of(file) + "': folder '"
                    + Printable.of(new File(file).getParent()) + "' not found");
        }
    }
}
