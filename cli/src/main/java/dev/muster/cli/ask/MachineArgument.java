// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.ask;

import dev.muster.cli.option.UsageException;
import dev.muster.cli.session.DetectionRequest;
import dev.muster.cli.session.Session;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.DeviceTextException;
import dev.muster.plan.catalogue.WhatIf;
import dev.muster.report.text.Printable;
import java.io.File;

/// A machine as an operand: a saved registry, a recorded host, one that is made up, or this one.
public final class MachineArgument {
    /// The word for this machine.
    public static final String HERE = "here";

    private static final String STDIN = "-";

    private MachineArgument() {}

    /// Returns the registry of a machine.
    ///
    /// @throws UsageException if the text is not a machine
    /// @throws CommandException if it is a file or folder that cannot be read
    public static AcceleratorRegistry resolve(String text, DeviceCatalogue catalogue, Session session) {
        if (text.equals(HERE)) {
            return session.detect().registry();
        }
        File file = new File(text);
        boolean isArchive = text.endsWith(".tar") || text.endsWith(".tar.gz");
        if (file.isDirectory() || (file.exists() && isArchive)) {
            return session.detect(DetectionRequest.recorded(text));
        }
        if (text.equals(STDIN) || file.exists()) {
            return session.readRegistry(text);
        }
        try {
            return WhatIf.synthetic(text, catalogue);
        } catch (DeviceTextException e) {
            throw new UsageException(
                    "'" + Printable.of(text) + "' is not a known machine: neither '" + HERE
                            + "', nor a saved registry or recorded host, nor a synthetic machine such as 'h100-sxm:8 "
                            + "nvswitch'",
                    e);
        }
    }
}
