package dev.muster.plan.catalogue;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.Provenance;
import dev.muster.core.QuantizationLevel;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.core.unit.OperationRate;
import dev.muster.core.unit.Watts;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/// A device by its data sheet: one row of the device catalogue. Immutable and safe to share between threads.
///
/// @param id the short name that people and tables write, such as `h100-sxm`
/// @param vendor the maker in lower case, such as `nvidia`
/// @param name the name for people
/// @param deviceClass what it is sold for
/// @param memory its memory
/// @param peaks dense peak rates; a precision that is not in it is not in the data sheet
/// @param link how it is joined with others
/// @param tdp the power it may draw
/// @param launchYear the year it came out
/// @param signature by what it is recognised
/// @param origin where the figures are from
/// @since 0.1
public record DeviceEntry(
        String id,
        String vendor,
        String name,
        DeviceClass deviceClass,
        DeviceMemory memory,
        Map<Precision, OperationRate> peaks,
        DeviceLink link,
        Reading<Watts> tdp,
        Reading<Long> launchYear,
        DeviceSignature signature,
        DeviceOrigin origin) {
    /// Copies the peak rates.
    public DeviceEntry {
        peaks = Map.copyOf(peaks);
    }

    /// Of the id alone. A record's own makes classes at run time, which takes 14 ms here (docs/decisions/0004).
    @Override
    public int hashCode() {
        return id.hashCode();
    }

    /// The dense peak rate in a precision.
    public Reading<OperationRate> peak(Precision precision) {
        OperationRate rate = peaks.get(precision);
        return rate == null ? Reading.unknown(UnknownReason.NOT_STATED) : Reading.known(rate, provenance());
    }

    /// Where a fact of this row comes from.
    public Provenance provenance() {
        return origin.provenance(id);
    }

    /// The kind of device that probes see, if they know one.
    public Optional<AcceleratorKind> findKind() {
        return DeviceKinds.find(this);
    }

    /// Whether the device computes with a model of that level: its kind has to, and 16-bit brain floating
    /// point also has to be in the data sheet where IEEE half precision is. A T4 takes the bytes of such a
    /// model, but does not run it.
    public boolean supports(QuantizationLevel level) {
        boolean kindDoes = findKind()
                .filter(kind -> kind.supportedQuantizations().contains(level))
                .isPresent();
        boolean lacksBrainFloat = peaks.containsKey(Precision.FP16) && !peaks.containsKey(Precision.BF16);
        return kindDoes && !(level == QuantizationLevel.BFLOAT16 && lacksBrainFloat);
    }

    /// A profile of one such device as a machine would show it, for questions that begin with "what if".
    ///
    /// @throws CatalogueException if no probe knows this kind of device, so that nothing can be planned for it
    public AcceleratorProfile toProfile(long deviceId) {
        return DeviceProfiles.profile(perDeviceShown(), deviceId);
    }

    /// One device as the system shows it: half a card where that has two chips.
    DeviceEntry perDeviceShown() {
        return signature.devicesShown() == 1 ? this : times(1.0 / signature.devicesShown());
    }

    /// So many of it as one.
    DeviceEntry times(double factor) {
        Map<Precision, OperationRate> rates = new EnumMap<>(Precision.class);
        peaks.forEach((precision, rate) -> rates.put(precision, new OperationRate(rate.teraPerSecond() * factor)));
        return new DeviceEntry(
                id,
                vendor,
                name,
                deviceClass,
                memory.times(factor),
                rates,
                link.times(factor),
                tdp.map(power -> new Watts(power.value() * factor)),
                launchYear,
                signature,
                origin);
    }
}
