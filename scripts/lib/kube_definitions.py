# SPDX-License-Identifier: Apache-2.0
"""Custom resource definitions of today, as kube-apiserver 1.20 takes them."""

import gzip
import os

import yaml

# This release refuses them in the definitions of today; none decides which fields there are, or of which type.
TOO_NEW = ("default", "x-kubernetes-list-map-keys", "x-kubernetes-list-type", "x-kubernetes-validations",
           "x-kubernetes-map-type")


def read(folder, name):
    """The definition in crd-NAME.yaml.gz, as its project publishes it, without what is too new."""
    with gzip.open(os.path.join(folder, f"crd-{name}.yaml.gz"), "rt") as file:
        definition = older(yaml.safe_load(file))
    definition.pop("status", None)
    return definition


def older(value, schema=False):
    if isinstance(value, list):
        return [older(each, schema) for each in value]
    if not isinstance(value, dict):
        return value
    return {key: older(each, schema or key == "openAPIV3Schema") if key != "properties" or not schema
            else {name: older(each, True) for name, each in each.items()}
            for key, each in value.items() if not (schema and key in TOO_NEW)}
