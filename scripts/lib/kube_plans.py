# SPDX-License-Identifier: Apache-2.0
"""Plans over a cluster of Kubernetes, handed to its server and scheduler.

What 'muster plan MODEL --fleet kubernetes --emit kubernetes' writes is created as it is. The controller of LeaderWorkerSets
is not here, so its pods are made from the set that the server has kept, as that controller makes them; the real scheduler
binds them, and has to bind them to the nodes that were planned and no others.
"""

import copy
import json
import os
import subprocess
import time

import kube_definitions

SETS = "/apis/leaderworkerset.x-k8s.io/v1/namespaces/default/leaderworkersets"
PODS = "/api/v1/namespaces/default/pods"
BIND_SECONDS = 30
# What a pod that must not be bound is given: the scheduler has looked at it when it says why.
MERGE = "application/merge-patch+json"


class Plans:
    def __init__(self, api, check, wait, muster, config, definitions):
        self.api, self.check, self.wait, self.muster = api, check, wait, muster
        self.environment = {**os.environ, "KUBECONFIG": config}
        self.definitions = definitions

    def made(self, path, thing, kind="application/json"):
        status, text = self.api.ask("POST", path, thing, kind)
        if status != 201:
            raise SystemExit(f"{path}: {status} {text[:500]}")
        return json.loads(text)

    def define(self):
        """LeaderWorkerSets, by the project's own definition."""
        definition = kube_definitions.read(self.definitions, "leaderworkersets")
        self.made("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition)
        self.wait(lambda: self.api.ask("GET", SETS)[0] == 200, "the kind LeaderWorkerSet", 30)

    def run(self, *words):
        done = subprocess.run([self.muster, "plan", *words, "--fleet", "kubernetes"], capture_output=True, text=True,
                              timeout=120, env=self.environment)
        return done.returncode, done.stdout, done.stderr

    def planned(self, *words):
        """The nodes that a plan names."""
        code, out, err = self.run(*words, "--json")
        if code != 0:
            raise SystemExit(f"no plan for {words}: {err}{out[:500]}")
        return sorted(each["name"] for each in json.loads(out)["hosts"])

    def emitted(self, *words):
        """The set as the server keeps it; the Service behind it is left out."""
        code, out, err = self.run(*words, "--emit", "kubernetes")
        out = out.split("\n---\n")[0]
        if code != 0:
            raise SystemExit(f"nothing is emitted for {words}: {err}")
        status, text = self.api.ask("POST", SETS, out, "application/yaml")
        self.check(f"the server takes what is emitted for {words[0]}", status == 201, "" if status == 201 else text[:500])
        return json.loads(text) if status == 201 else None

    def pods(self, found, change=lambda spec: None):
        """Makes the pods of a set; change may break them."""
        template = found["spec"]["leaderWorkerTemplate"]
        size, name = template["size"], found["metadata"]["name"]
        names = []
        for group in range(found["spec"]["replicas"]):
            for worker in range(size):
                names.append(f"{name}-{group}" + (f"-{worker}" if worker else ""))
                spec = copy.deepcopy(template["workerTemplate"]["spec"])
                change(spec)
                self.made(PODS, {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": names[-1]}, "spec": spec})
        return names

    def bound(self, names):
        """The nodes of pods, blank for one that the scheduler has refused; waits until it has looked at all."""
        places = {}
        end = time.monotonic() + BIND_SECONDS
        while len(places) < len(names) and time.monotonic() < end:
            for name in names:
                pod = json.loads(self.api.ask("GET", f"{PODS}/{name}")[1])
                refused = [each for each in pod.get("status", {}).get("conditions", []) if each.get("reason") == "Unschedulable"]
                if pod["spec"].get("nodeName") or refused:
                    places[name] = pod["spec"].get("nodeName", "")
            time.sleep(0.05)
        return sorted(places.values())

    def end(self, found, names):
        for name in names:
            self.api.ask("DELETE", f"{PODS}/{name}?gracePeriodSeconds=0")
        self.wait(lambda: all(self.api.ask("GET", f"{PODS}/{name}")[0] == 404 for name in names), "the end of pods", 30)
        if found:
            self.api.ask("DELETE", f"{SETS}/{found['metadata']['name']}")

    def check_bound(self, title, expected, *words):
        """A plan is made for the nodes expected and bound there. Returns the set, which is deleted."""
        nodes = self.planned(*words)
        self.check(f"{title}: planned", nodes == expected, ", ".join(nodes))
        found = self.emitted(*words)
        if found is None:
            return None
        names = self.pods(found)
        places = self.bound(names)
        self.check(f"{title}: the scheduler binds {len(names)} pods to these nodes", sorted(set(places)) == nodes, ", ".join(places))
        self.end(found, names)
        return found

    def check_broken(self, title, found, change, nodes):
        """The same pods with something taken away must not all be bound there, or this shows nothing."""
        names = self.pods(found, change)
        places = self.bound(names)
        self.check(title, places != nodes and len(places) == len(names), ", ".join(each or "none" for each in places))
        self.end(None, names)


def busy(name, on, cpus, gpus):
    """A pod of another user, which makes the scheduler prefer other nodes."""
    amounts = {"cpu": str(cpus), "memory": "1000Gi", **({"nvidia.com/gpu": str(gpus)} if gpus else {})}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name},
            "spec": {"nodeName": on, "tolerations": [{"operator": "Exists"}], "containers": [
                {"name": "main", "image": "none", "resources": {"requests": amounts, "limits": amounts}}]}}


def plans(tools, node):
    """All of it, on nodes that are made for it and deleted again."""
    leaves = {"plan-a": "left", "plan-b": "middle", "plan-c": "left", "plan-d": "right"}
    for name, leaf in leaves.items():
        one = node(name)
        labels = one["metadata"]["labels"]
        labels["network.topology.nvidia.com/leaf"] = leaf
        del labels["topology.kubernetes.io/zone"]
        if name == "plan-a":
            one["spec"] = {"taints": [{"key": "example.org/team", "value": "ml", "effect": "NoSchedule"}]}
        if name == "plan-c":
            labels["kubernetes.io/hostname"] = "another-name"  # nothing says that it is the name of the node
        tools.made("/api/v1/nodes", one)
    tools.api.ask("PATCH", "/api/v1/nodes/gpu-a", {"spec": {"unschedulable": True}}, MERGE)
    others = {"other-a": ("plan-a", 0), "other-b": ("plan-b", 5), "other-c": ("plan-c", 0)}
    for name, (on, gpus) in others.items():
        tools.made(PODS, busy(name, on, 100, gpus))
    tools.define()

    small = ("llama-3.1-8b", "--goal", "devices")
    found = tools.check_bound("a node partly in use", ["plan-b"], *small)
    if found:
        tools.check_broken("without its pin it goes elsewhere", found, lambda spec: spec.pop("affinity"), ["plan-b"])
    large = ("llama-3.1-405b",)
    found = tools.check_bound("two nodes of a leaf, one tainted, one with another hostname", ["plan-a", "plan-c"], *large,
                              "--tolerate", "example.org/team")
    if found:
        tools.check_broken("without its toleration a pod waits", found, lambda spec: spec.pop("tolerations"), ["plan-a", "plan-c"])
        tools.check_broken("without its pins a pod goes elsewhere", found, lambda spec: spec.pop("affinity"), ["plan-a", "plan-c"])
    tools.check_bound("a taint that is not tolerated", ["plan-c", "plan-d"], *large)
    tools.check_bound("two replicas", ["plan-c", "plan-d"], "llama-3.1-70b", "--hosts", "2", "--concurrency", "64")

    tools.end(None, list(others))
    for name in leaves:
        tools.api.ask("DELETE", f"/api/v1/nodes/{name}")
