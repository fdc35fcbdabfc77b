package dev.muster.cli;

import dev.muster.cli.render.Printable;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.detect.host.BundleException;
import dev.muster.detect.host.RecordedHost;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.DeviceTextException;
import dev.muster.plan.catalogue.WhatIf;
import java.io.File;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/// A machine as an operand: a saved registry, a recorded host, one that is made up, or this one.
final class MachineArgument {
    /// The word for this machine.
    static final String HERE = "here";

    private static final String STDIN = "-";

    private MachineArgument() {}

    /// The registry of a machine.
    ///
    /// @throws UsageException if the text is no machine
    /// @throws CommandException if it is a file or folder that cannot be read
    static AcceleratorRegistry resolve(String text, DeviceCatalogue catalogue, Session session) {
        if (text.equals(HERE)) {
            return session.detect().registry();
        }
        File file = new File(text);
        boolean isArchive = text.endsWith(".tar") || text.endsWith(".tar.gz");
        if (file.isDirectory() || (file.exists() && isArchive)) {
            return recorded(text, session);
        }
        if (text.equals(STDIN) || file.exists()) {
            return session.readRegistry(text);
        }
        try {
            return WhatIf.synthetic(text, catalogue);
        } catch (DeviceTextException e) {
            throw new UsageException("'" + Printable.of(text) + "' is no machine: neither '" + HERE
                    + "', nor a saved registry or recorded host, nor made up as in 'h100-sxm:8 nvswitch': "
                    + Printable.of(String.valueOf(e.getMessage())));
        }
    }

    private static AcceleratorRegistry recorded(String text, Session session) {
        try {
            return session.detect(RecordedHost.open(Path.of(text)));
        } catch (BundleException | InvalidPathException e) {
            throw new CommandException("cannot open the recorded host '" + Printable.of(text) + "': "
                    + Printable.of(String.valueOf(e.getMessage())));
        }
    }
}
