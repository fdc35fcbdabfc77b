// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.live;

import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommonOptions;
import dev.muster.cli.session.Session;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.detect.activity.HostActivity;
import dev.muster.detect.activity.HostActivity.HostLoad;
import dev.muster.detect.activity.HostActivity.RunningProcess;
import org.jspecify.annotations.Nullable;

/// The load of this machine and the owners of its processes as members of documents. Where the devices are those of
/// another machine or of a recording, there are none. Safe to share between threads.
final class HostWords {
    private final @Nullable HostActivity activity;

    private HostWords(@Nullable HostActivity activity) {
        this.activity = activity;
    }

    static HostWords of(Arguments arguments, Session session) {
        return new HostWords(
                isElsewhere(arguments) ? null : HostActivity.of(session.host().files()));
    }

    /// Reports whether the devices are not those of this machine.
    static boolean isElsewhere(Arguments arguments) {
        return arguments.has(CommonOptions.REGISTRY)
                || arguments.has(CommonOptions.HOST)
                || arguments.has(CommonOptions.SYNTHETIC)
                || arguments.has(ServeCommand.REPLAY);
    }

    JsonObject load() {
        JsonObject.ObjectBuilder json = JsonObject.builder();
        HostLoad load = activity == null ? null : activity.findLoad().orElse(null);
        if (load != null) {
            if (!load.name().isBlank()) {
                json.put("name", load.name());
            }
            json.put("loadOneMinute", load.oneMinute())
                    .put("memoryTotalBytes", load.memory().unsigned())
                    .put("memoryAvailableBytes", load.available().unsigned());
            if (!load.uptime().isZero()) {
                json.put("uptimeSeconds", load.uptime().toSeconds());
            }
        }
        return json.build();
    }

    JsonObject process(long pid) {
        JsonObject.ObjectBuilder json = JsonObject.builder();
        RunningProcess process =
                activity == null ? null : activity.findProcess(pid).orElse(null);
        if (process != null) {
            json.put("command", process.command()).put("parent", process.parent());
            if (process.user() != null) {
                json.put("user", process.user());
            }
            if (process.memory() != null) {
                json.put("hostMemoryBytes", process.memory().unsigned());
            }
            if (process.age() != null) {
                json.put("ageSeconds", process.age().toSeconds());
            }
        }
        return json.build();
    }
}
