package dev.muster.detect.vendor;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Provenance;
import dev.muster.core.text.CsvReader;
import dev.muster.detect.text.Amount;
import dev.muster.detect.tool.Sighting;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Reads `--query-gpu=index,driver_version,name,memory.total --format=csv` of tools that take after `nvidia-smi`, such
/// as `ixsmi`: a header, then a line for each GPU. Pure.
final class QueryCsvParser {
    private static final int FIELDS = 4;

    private QueryCsvParser() {}

    static List<AcceleratorProfile> parse(String text, AcceleratorKind kind, Provenance source) {
        List<AcceleratorProfile> devices = new ArrayList<>();
        if (!text.stripLeading().startsWith("index")) {
            return devices;
        }
        for (String line : text.split("\n")) {
            List<String> fields = CsvReader.fieldsOf(line);
            Optional<Long> number = Amount.count(fields.get(0), Sighting.MAX_DEVICES);
            if (fields.size() == FIELDS && number.isPresent() && devices.size() < Sighting.MAX_DEVICES) {
                devices.add(new Sighting(kind, number.get(), source)
                        .text(DeviceFact.DRIVER_VERSION, fields.get(1))
                        .text(DeviceFact.DEVICE_NAME, fields.get(2))
                        .with(DeviceFact.MEMORY, Amount.bytes(fields.get(3)))
                        .build());
            }
        }
        return devices;
    }
}
