package dev.muster.core;

import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import dev.muster.core.unit.Hertz;
import dev.muster.core.unit.Ratio;
import dev.muster.core.unit.Watts;

/// The type of a fact's value. Readers and writers of documents and tables switch over it.
///
/// @param <T> the Java type
/// @since 0.1
public final class FactType<T> {
    /// Amount of memory.
    public static final FactType<Bytes> BYTES = new FactType<>(Tag.BYTES, Bytes.class);
    /// Rate of data.
    public static final FactType<Bandwidth> BANDWIDTH = new FactType<>(Tag.BANDWIDTH, Bandwidth.class);
    /// Text.
    public static final FactType<String> TEXT = new FactType<>(Tag.TEXT, String.class);
    /// Number of things, from 0.
    public static final FactType<Long> COUNT = new FactType<>(Tag.COUNT, Long.class);
    /// Temperature.
    public static final FactType<Celsius> CELSIUS = new FactType<>(Tag.CELSIUS, Celsius.class);
    /// Power.
    public static final FactType<Watts> WATTS = new FactType<>(Tag.WATTS, Watts.class);
    /// Share.
    public static final FactType<Ratio> RATIO = new FactType<>(Tag.RATIO, Ratio.class);
    /// Place on the PCI bus.
    public static final FactType<PciAddress> PCI_ADDRESS = new FactType<>(Tag.PCI_ADDRESS, PciAddress.class);

    /// Frequency.
    public static final FactType<Hertz> HERTZ = new FactType<>(Tag.HERTZ, Hertz.class);
    /// Yes or no.
    public static final FactType<Boolean> FLAG = new FactType<>(Tag.FLAG, Boolean.class);
    /// Programs that use a device.
    public static final FactType<ProcessList> PROCESSES = new FactType<>(Tag.PROCESSES, ProcessList.class);

    private final Tag tag;
    private final Class<T> javaType;

    private FactType(Tag tag, Class<T> javaType) {
        this.tag = tag;
        this.javaType = javaType;
    }

    /// The constant to switch over.
    public Tag tag() {
        return tag;
    }

    /// The Java type of the values.
    public Class<T> javaType() {
        return javaType;
    }

    /// Constants to switch over.
    public enum Tag {
        /// [Bytes].
        BYTES,
        /// [Bandwidth].
        BANDWIDTH,
        /// [String].
        TEXT,
        /// [Long].
        COUNT,
        /// [Celsius].
        CELSIUS,
        /// [Watts].
        WATTS,
        /// [Ratio].
        RATIO,
        /// [PciAddress].
        PCI_ADDRESS,
        /// [Hertz].
        HERTZ,
        /// [Boolean].
        FLAG,
        /// [ProcessList].
        PROCESSES
    }
}
