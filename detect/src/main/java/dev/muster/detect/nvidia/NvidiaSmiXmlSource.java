// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.Reading;
import dev.muster.detect.probe.ProbeContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Asks `nvidia-smi -q -x`, which tells most. What it leaves out is asked for separately: the compute capability, and
/// the names of MIG devices.
final class NvidiaSmiXmlSource implements NvidiaAnswer.Source {
    private static final String NO_DEVICES = "No devices were found";

    NvidiaSmiXmlSource() {}

    @Override
    public NvidiaAnswer ask(ProbeContext context, NvidiaSmi smi, Consumer<Gap> gaps) {
        NvidiaSmi.Outcome outcome = smi.ask("-q", "-x");
        if (!outcome.asked()) {
            return new NvidiaAnswer.NotAsked();
        }
        if (outcome.output().contains(NO_DEVICES)) {
            if (outcome.failure().isEmpty()) {
                gaps.accept(new Gap.Unparsable(NvidiaProbe.NAME, "nvidia-smi says: " + NO_DEVICES));
            }
            return new NvidiaAnswer.Devices(NvidiaLostGpus.parse(outcome.output(), List.of(), smi.source()));
        }
        if (outcome.output().isBlank() && !outcome.failure().isEmpty()) {
            return new NvidiaAnswer.Refused(outcome.failure());
        }
        try {
            // The tool may fail in its exit code and still have told everything, as with a damaged info ROM.
            NvidiaSmiLog log = new NvidiaSmiLog(NvidiaSmiXmlParser.parse(outcome.output()), smi.source());
            NvidiaListing listing = log.hasSlices()
                    ? smi.findAnyOutput("-L").map(NvidiaListing::parse).orElse(NvidiaListing.EMPTY)
                    : NvidiaListing.EMPTY;
            List<AcceleratorProfile> told = log.profiles(listing, gaps);
            List<AcceleratorProfile> profiles = new ArrayList<>(
                    withCapabilities(context.asksTelemetry() ? NvidiaSmiTelemetry.complete(log, told) : told, smi));
            profiles.addAll(NvidiaLostGpus.parse(outcome.output() + "\n" + outcome.failure(), profiles, smi.source()));
            return new NvidiaAnswer.Devices(profiles);
        } catch (NvidiaFormatException e) {
            if (!outcome.failure().isEmpty()) {
                return new NvidiaAnswer.Refused(NvidiaFormatException.quote(outcome.failure()));
            }
            String message = "nvidia-smi -q -x: " + e.getMessage();
            gaps.accept(new Gap.Unparsable(NvidiaProbe.NAME, message));
            return new NvidiaAnswer.Refused(message);
        }
    }

    /// The devices with the compute capability, which only the other form of the question tells.
    private static List<AcceleratorProfile> withCapabilities(List<AcceleratorProfile> profiles, NvidiaSmi smi) {
        if (profiles.stream()
                .allMatch(
                        device -> device.reading(DeviceFact.COMPUTE_CAPABILITY).isKnown())) {
            return profiles;
        }
        Optional<NvidiaQuery> query =
                smi.findAnyOutput(NvidiaSmiQuerySource.QUESTION).map(NvidiaQuery::parse);
        if (query.isEmpty()) {
            return profiles;
        }
        List<AcceleratorProfile> completed = new ArrayList<>();
        for (AcceleratorProfile device : profiles) {
            Reading<String> capability = query.get()
                    .find(device.accelerator().deviceId())
                    .map(row -> new NvidiaValue(row.value("compute_cap"), smi.source()).text())
                    .orElse(device.reading(DeviceFact.COMPUTE_CAPABILITY));
            completed.add(
                    device.reading(DeviceFact.COMPUTE_CAPABILITY).isKnown()
                            ? device
                            : device.toBuilder()
                                    .with(DeviceFact.COMPUTE_CAPABILITY, capability)
                                    .build());
        }
        return completed;
    }
}
