// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.kubernetes;

import dev.muster.core.json.JsonValue;
import dev.muster.fleet.json.JsonFields;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/// A kind of objects that are listed and watched, and where they belong in the state of a cluster.
///
/// @param name its name for people, in the plural
/// @param paths the paths of the lists, the newest version of the API first
/// @param selector a query that leaves out what is of no use; blank for none
/// @param isWorthReading true if a text can be of an object that matters; the others are not read
/// @param key the key of its objects
/// @param reader the reader of an object; empty for an object without use
/// @param table the table of its objects
/// @param isOptional true if a server may know no such kind
record ResourceKind<T>(
        String name,
        List<String> paths,
        String selector,
        Predicate<byte[]> isWorthReading,
        Function<JsonValue, String> key,
        Function<JsonValue, Optional<T>> reader,
        Function<ClusterState, Map<String, T>> table,
        boolean isOptional) {
    /// Pods that are on a node and have not ended.
    private static final String RUNNING =
            "fieldSelector=" + "status.phase%21%3DSucceeded%2Cstatus.phase%21%3DFailed%2Cspec.nodeName%21%3D";

    static ResourceKind<NodeRecord> nodes(NodeReader reader) {
        return new ResourceKind<>(
                "nodes",
                List.of("/api/v1/nodes"),
                "",
                _ -> true,
                node -> JsonFields.text(node, "metadata", "name"),
                reader::read,
                ClusterState::nodes,
                false);
    }

    static ResourceKind<PodClaim> pods() {
        return new ResourceKind<>(
                "pods",
                List.of("/api/v1/pods"),
                RUNNING,
                PodClaim::isWorthReading,
                PodClaim::key,
                PodClaim::find,
                ClusterState::pods,
                false);
    }

    static ResourceKind<DraSlice> slices() {
        return new ResourceKind<>(
                "resourceslices",
                versions("resourceslices"),
                "",
                _ -> true,
                slice -> JsonFields.text(slice, "metadata", "name"),
                slice -> Optional.of(DraSlice.read(slice)),
                ClusterState::changingSlices,
                true);
    }

    static ResourceKind<DraGrant> grants() {
        return new ResourceKind<>(
                "resourceclaims",
                versions("resourceclaims"),
                "",
                _ -> true,
                PodClaim::key,
                DraGrant::find,
                ClusterState::grants,
                true);
    }

    private static List<String> versions(String plural) {
        return List.of(
                "/apis/resource.k8s.io/v1/" + plural,
                "/apis/resource.k8s.io/v1beta2/" + plural,
                "/apis/resource.k8s.io/v1beta1/" + plural);
    }
}
