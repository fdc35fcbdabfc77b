# SPDX-License-Identifier: Apache-2.0
"""Lets a real kube-apiserver judge objects: kube_check.py SERVER FOLDER DEFINITIONS FILE.yaml ...

Starts etcd and the server on loopback in FOLDER, gives it the custom resource definitions of the folder DEFINITIONS
(crd-NAME.yaml.gz, as their projects publish them), and asks it about every object with dryRun=All. Prints a line for each
and ends with 1 if one is refused, or if the server takes one that it must not.
"""

import copy
import json
import os
import re
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.request

import kube_definitions
import yaml

server, folder, definitions, files = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
START_SECONDS = 120
os.makedirs(folder, exist_ok=True)
log = open(os.path.join(folder, "log"), "w")
children = []


def start(*command):
    children.append(subprocess.Popen(command, stdout=log, stderr=log))


def ask(method, path, body=None):
    request = urllib.request.Request("https://127.0.0.1:6443" + path, method=method,
                                     data=None if body is None else json.dumps(body).encode(),
                                     headers={"Authorization": "Bearer secret", "Content-Type": "application/json"})
    trusting = ssl._create_unverified_context()  # it has made its certificate itself, on loopback
    try:
        with urllib.request.urlopen(request, context=trusting, timeout=20) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as e:
        return e.code, e.read().decode()
    except OSError as e:
        return 0, str(e)


def wait(path, what):
    end = time.monotonic() + START_SECONDS
    while ask("GET", path)[0] != 200:
        if time.monotonic() > end or any(child.poll() is not None for child in children):
            raise SystemExit(f"{what} is not there: {ask('GET', path)}")
        time.sleep(0.2)


def path_of(found):
    version, kind = found["apiVersion"], found["kind"]
    root = "/api/" + version if "/" not in version else "/apis/" + version
    status, text = ask("GET", root)
    names = [each["name"] for each in json.loads(text).get("resources", []) if each["kind"] == kind and "/" not in each["name"]]
    if status != 200 or not names:
        return None
    return f"{root}/namespaces/default/{names[0]}?dryRun=All&fieldValidation=Strict"


def dropped(sent, kept, path=""):
    """Fields that the server does not know: it leaves them out without a word."""
    if isinstance(sent, dict):
        return [each for key, value in sent.items()
                for each in (dropped(value, kept[key], f"{path}.{key}") if isinstance(kept, dict) and key in kept
                             else [f"{path}.{key}"])]
    if isinstance(sent, list):
        return [each for i, value in enumerate(sent) for each in dropped(value, kept[i], f"{path}[{i}]")]
    return []


def main():
    key = os.path.join(folder, "key")
    subprocess.run(["openssl", "genrsa", "-out", key, "2048"], check=True, stdout=log, stderr=log)
    with open(os.path.join(folder, "tokens"), "w") as out:
        out.write('secret,admin,1,"system:masters"\n')
    start("etcd", "--data-dir", os.path.join(folder, "etcd"), "--listen-client-urls", "http://127.0.0.1:2379",
          "--advertise-client-urls", "http://127.0.0.1:2379", "--listen-peer-urls", "http://127.0.0.1:2380")
    start(server, "--etcd-servers=http://127.0.0.1:2379", "--service-account-issuer=https://kubernetes.default",
          "--service-account-signing-key-file=" + key, "--service-account-key-file=" + key,
          "--cert-dir=" + os.path.join(folder, "certificates"), "--secure-port=6443", "--bind-address=127.0.0.1",
          "--advertise-address=127.0.0.1", "--endpoint-reconciler-type=none",
          "--token-auth-file=" + os.path.join(folder, "tokens"), "--authorization-mode=RBAC",
          "--disable-admission-plugins=ServiceAccount", "--service-cluster-ip-range=10.0.0.0/24")
    wait("/readyz", "kube-apiserver")
    for name in sorted(re.findall(r"crd-(\w+)\.yaml\.gz", " ".join(os.listdir(definitions)))):
        definition = kube_definitions.read(definitions, name)
        status, text = ask("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition)
        if status != 201:
            raise SystemExit(f"the definition of {name} is refused: {status} {text[:2000]}")
        spec = definition["spec"]
        served = next(each["name"] for each in spec["versions"] if each["served"])
        wait(f"/apis/{spec['group']}/{served}/{name}", name)
    wait("/api/v1/namespaces/default", "the namespace default")
    failed = False
    for file in files:
        with open(file) as text:
            objects = [each for each in yaml.safe_load_all(text) if each]
        for found in objects:
            path = path_of(found)
            status, text = ask("POST", path, found) if path else (404, "no such kind")
            unknown = dropped(found, json.loads(text)) if status == 201 else []
            print(f"{os.path.basename(file)}: {found['kind']} {found['metadata']['name']}: {status}"
                  + ("" if status == 201 else " " + text[:600])
                  + ("; this release does not know " + ", ".join(unknown) if unknown else ""), flush=True)
            # Of its own kinds the server knows those of its release; the definitions are those of today.
            failed |= status != 201 or (found["apiVersion"].split("/")[0].count(".") > 0 and bool(unknown))
            wrong = copy.deepcopy(found)
            wrong["spec"] = {**wrong["spec"], "replicas": "two", "backoffLimit": "two", "ports": "two", "suspend": "two"}
            status, text = ask("POST", path, wrong) if path else (404, "")
            if status == 201:
                print(f"{os.path.basename(file)}: the server takes a text where a number belongs")
                failed = True
    return failed


try:
    status = main()
finally:
    for child in reversed(children):
        child.terminate()
sys.exit(1 if status else 0)
