// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.vendor;

import dev.muster.core.AcceleratorKind;
import dev.muster.detect.host.Tool;
import java.util.ArrayList;
import java.util.List;

/// The signs of one vendor's devices, and the tool that describes them. Filled in before its probe is made,
/// and not changed after.
public final class VendorRow {
    private static final String[] FOLDERS = {"/usr/local/corex/bin", "/opt/hyhal/bin", "/opt/dtk/bin", "/opt/xre/bin"};
    private static final int NO_VENDOR = -1;

    final String name;
    final AcceleratorKind kind;
    int vendor = NO_VENDOR;
    boolean acceleratorsOnly;
    /// Blank where device nodes prove nothing.
    String nodeFolder = "";

    String nodePrefix = "";
    /// Blank for cards, of which there may be several.
    String chipFolder = "";

    String capability = "";
    ToolFormat format = ToolFormat.NONE;
    List<Tool> tools = List.of();
    /// The tools whose presence is a sign of devices.
    List<Tool> signs = List.of();

    private VendorRow(String name, AcceleratorKind kind) {
        this.name = name;
        this.kind = kind;
    }

    /// A vendor of which nothing more is known.
    ///
    /// @param name the name of its probe
    /// @param kind kind of its devices
    public static VendorRow of(String name, AcceleratorKind kind) {
        return new VendorRow(name, kind);
    }

    /// The name of its probe.
    public String name() {
        return name;
    }

    /// Returns the kind of its devices.
    public AcceleratorKind kind() {
        return kind;
    }

    /// Its devices are on the PCI bus.
    ///
    /// @param id the vendor's id there
    public VendorRow onBus(int id) {
        vendor = id;
        return this;
    }

    /// Everything of this vendor on the bus is such a device; else those count that compute or that a table knows.
    public VendorRow withAcceleratorsOnly() {
        acceleratorsOnly = true;
        return this;
    }

    /// Its driver makes a node for each device.
    ///
    /// @param folder the folder
    /// @param prefix the text before the number
    public VendorRow withNodes(String folder, String prefix) {
        nodeFolder = folder;
        nodePrefix = prefix;
        return this;
    }

    /// It is a part of the system's chip, however many nodes it has.
    ///
    /// @param folder a folder of the driver
    public VendorRow asOneChip(String folder) {
        chipFolder = folder;
        return this;
    }

    /// Returns the compute interface of its devices.
    public VendorRow withCapability(String unit) {
        capability = unit;
        return this;
    }

    /// Its tool, whose presence is a sign of devices.
    ///
    /// @param form the tool's query, and the parser of its answer
    /// @param names its names, the newer first
    public VendorRow asking(ToolFormat form, String... names) {
        withAmbiguousTool(form, names);
        signs = tools;
        return this;
    }

    /// Its tool, where another vendor has one of the same name; behind those that were named before.
    public VendorRow withAmbiguousTool(ToolFormat form, String... names) {
        format = form;
        List<Tool> all = new ArrayList<>(tools);
        for (String tool : names) {
            all.add(Tool.of(tool, FOLDERS));
        }
        tools = all;
        return this;
    }
}
