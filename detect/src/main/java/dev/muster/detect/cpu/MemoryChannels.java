// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.cpu;

import dev.muster.core.Gap;
import dev.muster.core.Reading;
import dev.muster.detect.file.AttributeFolder;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.text.Amount;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/// Counts the channels that hold memory modules, where the kernel watches the modules for errors (EDAC). Elsewhere
/// nothing without special rights tells them.
record MemoryChannels(ProbeContext context, Consumer<Gap> gaps) {
    private static final String FOLDER = "/sys/devices/system/edac/mc";
    private static final String LOCATION = "dimm_location";
    /// Some drivers list modules, others their ranks.
    private static final String[] MODULES = {"dimm", "rank"};

    private static final int MAX_CONTROLLERS = 256;
    private static final int MAX_MODULES = 1024;
    private static final long MAX_NUMBER = 1024;
    private static final int MAX_WORDS = 16;

    /// The channels of all memory controllers; unknown if one module does not tell its own.
    Reading<Long> count() {
        AttributeFolder root = context.folder(FOLDER, gaps);
        List<String> controllers = context.files().numbered(FOLDER, "mc");
        Set<String> channels = new HashSet<>();
        for (String controller : controllers.subList(0, Math.min(controllers.size(), MAX_CONTROLLERS))) {
            if (!add(controller, root.folder(controller), channels)) {
                return Reading.notSupported(FOLDER + " does not name every module's channel");
            }
        }
        return channels.isEmpty()
                ? Reading.notSupported(FOLDER + " lists no memory modules")
                : Reading.known((long) channels.size(), context.fromFile(FOLDER));
    }

    private boolean add(String controller, AttributeFolder folder, Set<String> channels) {
        int modules = 0;
        for (String name : context.files().names(folder.path())) {
            if (isModule(name) && modules++ < MAX_MODULES) {
                Optional<String> channel = folder.folder(name)
                        .reading(LOCATION, MemoryChannels::parseChannel)
                        .find();
                if (channel.isEmpty()) {
                    return false;
                }
                channels.add(controller + " " + channel.get());
            }
        }
        return true;
    }

    private static boolean isModule(String name) {
        for (String prefix : MODULES) {
            if (name.startsWith(prefix)
                    && Amount.count(name.substring(prefix.length()), Long.MAX_VALUE)
                            .isPresent()) {
                return true;
            }
        }
        return false;
    }

    /// Reads a place such as `branch 0 channel 1 slot 0` or `csrow 2 channel 1`. The branch tells channels of the same
    /// number apart; row and slot only say where on the channel the module sits.
    static Optional<String> parseChannel(String text) {
        String[] words = text.strip().split(" ", MAX_WORDS);
        String branch = "";
        String channel = "";
        for (int i = 0; i + 1 < words.length; i += 2) {
            boolean isNumber = Amount.count(words[i + 1], MAX_NUMBER).isPresent();
            if (words[i].equals("branch") && isNumber) {
                branch = "branch " + words[i + 1].strip() + " ";
            } else if (words[i].equals("channel") && isNumber) {
                channel = "channel " + words[i + 1].strip();
            }
        }
        return channel.isEmpty() ? Optional.empty() : Optional.of(branch + channel);
    }
}
