// SPDX-License-Identifier: Apache-2.0
/// A program of a user, on the module path: Muster's jars are all it has.
module example.consumer {
    requires dev.muster.detect;
    requires dev.muster.mesh;
    requires dev.muster.plan;
    requires dev.muster.report;
}
