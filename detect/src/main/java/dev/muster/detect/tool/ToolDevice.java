// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.tool;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.json.JsonValue;
import dev.muster.detect.text.JsonFields;
import java.util.Optional;

/// One device as a tool describes it, fact by fact; what the tool does not know is left out. Confined to one thread.
public final class ToolDevice {
    /// More devices than any host has.
    public static final int MAX_DEVICES = 1024;

    private static final int MAX_TEXT = 256;

    private final AcceleratorProfile.ProfileBuilder profile;
    private final Provenance source;

    /// A device that its kind and number describe.
    public ToolDevice(AcceleratorKind kind, long number, Provenance source) {
        this(AcceleratorType.of(kind, number), source);
    }

    /// A device of which nothing is told yet.
    public ToolDevice(AcceleratorType type, Provenance source) {
        this.profile = AcceleratorProfile.builder(type);
        this.source = source;
    }

    /// Memory that the source cannot tell, unless it does.
    public ToolDevice withoutMemory(String reason) {
        profile.with(DeviceFact.MEMORY, Reading.notSupported(reason));
        return this;
    }

    /// A fact, where it is told.
    public <T> ToolDevice with(DeviceFact<T> fact, Optional<T> value) {
        value.ifPresent(known -> profile.with(fact, Reading.known(known, source)));
        return this;
    }

    /// A text; `N/A`, `-` and the like say nothing.
    public ToolDevice text(DeviceFact<String> fact, String value) {
        String text = value.strip();
        boolean nothing = text.isEmpty() || text.equals("-") || text.equals("NA") || text.startsWith("N/A");
        return nothing || text.length() > MAX_TEXT ? this : with(fact, Optional.of(text));
    }

    /// Health, where one word of the vendor's means that all is well.
    public ToolDevice health(String value, String well) {
        return text(DeviceFact.HEALTH, value.equalsIgnoreCase(well) ? "ok" : value);
    }

    /// Reports whether it can be used now.
    public ToolDevice available(boolean value) {
        profile.available(value);
        return this;
    }

    /// The device.
    public AcceleratorProfile build() {
        return profile.build();
    }

    /// The JSON object in a text. Some tools print warnings around it.
    public static Optional<JsonValue> json(String text) {
        int start = text.indexOf('{');
        int end = text.lastIndexOf('}');
        return start < 0 || end < start ? Optional.empty() : JsonFields.parse(text.substring(start, end + 1));
    }
}
