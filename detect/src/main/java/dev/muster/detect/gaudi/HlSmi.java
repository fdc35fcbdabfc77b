// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.gaudi;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.GaudiGeneration;
import dev.muster.core.Provenance;
import dev.muster.detect.host.CommandOutcome;
import dev.muster.detect.host.Tool;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.text.Amount;
import dev.muster.detect.tool.ToolDevice;
import dev.muster.detect.tool.ToolRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Asks `hl-smi`, in the forms that its releases have. Once a run of it took too long, nothing more is asked. Confined
/// to one thread.
final class HlSmi {
    static final Tool TOOL = Tool.of("hl-smi");

    private static final String FIELDS = "index,uuid,name,driver_version,memory.total,memory.used,memory.free,"
            + "power.draw,power.max,temperature.aip,utilization.aip";
    /// The query that ai-hwaccel uses.
    private static final String FEW_FIELDS = "index,name,memory.total,memory.free";

    private static final String MIB = "MiB";

    private final ProbeContext context;
    private final Consumer<Gap> gaps;
    private final List<Gap> refusals = new ArrayList<>();
    private boolean timedOut;

    HlSmi(ProbeContext context, Consumer<Gap> gaps) {
        this.context = context;
        this.gaps = gaps;
    }

    /// The devices that the tool lists; nothing where it lists none or could not be asked, which is then a gap.
    ///
    /// @param busMatters true if the places of the devices are wanted, which are only in the table
    List<ToolRow> list(boolean busMatters) {
        Optional<List<ToolRow>> queried = query(FIELDS, "-Q", FIELDS, "-f", "csv")
                .or(() -> query(FEW_FIELDS, "--query-aip=" + FEW_FIELDS, "--format=csv,noheader,nounits"));
        boolean tableMatters = queried.isEmpty() || busMatters;
        Optional<List<ToolRow>> table = tableMatters ? run().flatMap(this::readTable) : Optional.empty();
        if (tableMatters && table.isEmpty()) {
            refusals.forEach(gaps);
        }
        List<ToolRow> rows = table.orElse(List.of());
        return queried.map(devices -> ToolRow.complete(devices, rows)).orElse(rows);
    }

    private Optional<List<ToolRow>> query(String fields, String... arguments) {
        return run(arguments).flatMap(output -> {
            HlSmiQueryParser.Answer answer = HlSmiQueryParser.parse(output, List.of(fields.split(",")));
            if (answer.unread() > 0) {
                Gap gap = unparsable(answer.unread() + " lines of 'hl-smi " + arguments[0] + "' do not fit the query");
                if (answer.devices().isEmpty()) {
                    refusals.add(gap);
                    return Optional.empty();
                }
                gaps.accept(gap);
            }
            return Optional.of(answer.devices());
        });
    }

    private Optional<List<ToolRow>> readTable(String output) {
        Optional<List<ToolRow>> table = HlSmiTableParser.parse(output);
        if (table.isEmpty()) {
            refusals.add(unparsable("hl-smi printed no table"));
        }
        return table;
    }

    private static Gap unparsable(String message) {
        return new Gap.Unparsable(GaudiProbe.NAME, message);
    }

    private Optional<String> run(String... arguments) {
        if (timedOut) {
            return Optional.empty();
        }
        CommandOutcome outcome = context.run(TOOL, arguments);
        timedOut = outcome instanceof CommandOutcome.Expired;
        if (!outcome.isSuccess()) {
            outcome.findGap(TOOL.name()).ifPresent(timedOut ? gaps : refusals::add);
        }
        return outcome.findOutput();
    }

    /// Makes a profile of what the tool says about a device.
    static AcceleratorProfile profile(ToolRow device, GaudiGeneration generation, Provenance source) {
        return new ToolDevice(new AcceleratorType.Gaudi(device.number(), generation), source)
                .withoutMemory("hl-smi does not report it")
                .with(DeviceFact.MEMORY, device.findBytes("memory.total", MIB).filter(size -> !size.isZero()))
                .with(DeviceFact.MEMORY_USED, device.findBytes("memory.used", MIB))
                .with(DeviceFact.MEMORY_FREE, device.findBytes("memory.free", MIB))
                .with(DeviceFact.COMPUTE_CAPABILITY, Optional.of(generation.display()))
                .with(DeviceFact.DEVICE_NAME, device.find("name"))
                .with(DeviceFact.DRIVER_VERSION, device.find("driver_version"))
                .with(DeviceFact.UUID, device.find("uuid"))
                .with(DeviceFact.PCI_ADDRESS, device.findAddress("bus_id"))
                .with(DeviceFact.POWER, device.find("power.draw").flatMap(Amount::watts))
                .with(DeviceFact.POWER_LIMIT, device.find("power.max").flatMap(Amount::watts))
                .with(DeviceFact.TEMPERATURE, device.find("temperature.aip").flatMap(Amount::celsius))
                .with(DeviceFact.UTILIZATION, device.find("utilization.aip").flatMap(Amount::percent))
                .build();
    }
}
