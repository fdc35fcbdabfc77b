# SPDX-License-Identifier: Apache-2.0
"""Lets Muster read a real cluster's API server: kube_fleet.py SERVER SCHEDULER FOLDER JAVA CLASSPATH MUSTER DEFINITIONS

Starts etcd, kube-apiserver and kube-scheduler on loopback in FOLDER, makes nodes and pods, has FleetReading and the command
MUSTER read and follow them, and has the scheduler place what MUSTER plans. DEFINITIONS is the folder of custom resource
definitions. Prints a line for each check and ends with 1 if one fails.
"""

import http.client
import json
import os
import queue
import re
import shutil
import socket
import ssl
import subprocess
import sys
import threading
import time
import urllib.request

import kube_plans

server, scheduler, folder, java, classpath, muster_command, definitions = sys.argv[1:8]
NODES = 12_500
GPUS = 8
START_SECONDS = 120
FOLLOW_SECONDS = 2.0
LIST_SECONDS = 15.0
LIST_MEGABYTES = 512
log = open(os.path.join(folder, "log"), "w")
children = []
failed = False


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


ETCD, PEER, PORT = free_port(), free_port(), free_port()


def start(*command, **more):
    child = subprocess.Popen(command, **{"stdout": log, "stderr": log, **more})
    children.append(child)
    return child


def end(child, seconds=20):
    if child.poll() is None:
        child.terminate()
        try:
            child.wait(seconds)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()


def check(name, good, detail=""):
    global failed
    failed |= not good
    print(f"{'ok' if good else 'FAILED'}: {name}{': ' + detail if detail else ''}", flush=True)


class Api:
    """A connection that is kept open."""

    def __init__(self, token="secret"):
        self.token, self.connection = token, None

    def ask(self, method, path, body=None, kind="application/json"):
        for attempt in (1, 2):
            try:
                if self.connection is None:
                    trusting = ssl._create_unverified_context()  # it has made its certificate itself, on loopback
                    self.connection = http.client.HTTPSConnection("127.0.0.1", PORT, context=trusting, timeout=60)
                sent = body if body is None or isinstance(body, str) else json.dumps(body)
                self.connection.request(method, path, sent,
                                        {"Authorization": "Bearer " + self.token, "Content-Type": kind})
                answer = self.connection.getresponse()
                return answer.status, answer.read().decode()
            except (OSError, http.client.HTTPException) as e:
                self.connection = None
                if attempt == 2:
                    return 0, str(e)


api = Api()


def wait(condition, what, seconds=START_SECONDS):
    stop = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > stop:
            raise SystemExit(f"{what} is not there after {seconds} s")
        time.sleep(0.05)


def start_server():
    child = start(server, f"--etcd-servers=http://127.0.0.1:{ETCD}", "--service-account-issuer=https://kubernetes.default",
                  "--service-account-signing-key-file=" + key, "--service-account-key-file=" + key,
                  "--cert-dir=" + os.path.join(folder, "certificates"), f"--secure-port={PORT}",
                  "--bind-address=127.0.0.1", "--advertise-address=127.0.0.1", "--endpoint-reconciler-type=none",
                  "--token-auth-file=" + os.path.join(folder, "tokens"), "--authorization-mode=RBAC",
                  "--client-ca-file=" + os.path.join(folder, "ca.crt"), "--disable-admission-plugins=ServiceAccount,TaintNodesByCondition",
                  "--service-cluster-ip-range=10.0.0.0/24", "--max-mutating-requests-inflight=400")
    wait(lambda: child.poll() is not None or api.ask("GET", "/readyz")[0] == 200, "kube-apiserver")
    if child.poll() is not None:
        raise SystemExit("kube-apiserver has ended")
    return child


def openssl(*words):
    subprocess.run(["openssl", *words], check=True, stdout=log, stderr=log, cwd=folder)


def make_certificates():
    """An authority, and certificates of an administrator with keys in the two older forms."""
    openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "ca.key", "-out", "ca.crt", "-subj", "/CN=check", "-days", "2")
    openssl("genrsa", "-traditional", "-out", "rsa.key", "2048")
    openssl("ecparam", "-genkey", "-name", "prime256v1", "-noout", "-out", "ec.key")
    for name in ("rsa", "ec"):
        openssl("req", "-new", "-key", name + ".key", "-out", name + ".csr", "-subj", "/O=system:masters/CN=admin-" + name)
        openssl("x509", "-req", "-in", name + ".csr", "-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-out", name + ".crt",
                "-days", "2")


def kubeconfig(name, user):
    path = os.path.join(folder, name)
    with open(path, "w") as out:
        out.write(f"""apiVersion: v1
kind: Config
current-context: check
contexts:
- context: {{cluster: here, user: me}}
  name: check
clusters:
- cluster:
    certificate-authority: certificates/apiserver.crt
    server: https://127.0.0.1:{PORT}
  name: here
users:
- name: me
  user: {user}
""")
    return path


def node(name, number=0, gpus=GPUS, ready="True"):
    """A node about as large as one of a real cluster: with images, and labels of GPU Feature Discovery."""
    labels = {f"feature.node.kubernetes.io/cpu-cpuid.X{i}": "true" for i in range(30)}
    labels.update({
        "kubernetes.io/hostname": name, "nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3", "nvidia.com/gpu.count": str(gpus),
        "nvidia.com/gpu.memory": "81559", "nvidia.com/gpu.replicas": "1", "nvidia.com/gpu.compute.major": "9",
        "nvidia.com/gpu.compute.minor": "0", "nvidia.com/cuda.driver-version.full": "580.105.08",
        "nvidia.com/gfd.timestamp": str(1_700_000_000 + number), "topology.kubernetes.io/zone": f"zone-{number % 3}",
        "network.topology.nvidia.com/leaf": f"leaf-{number // 16}", "node.kubernetes.io/instance-type": "p5.48xlarge"})
    amounts = {"cpu": "192", "memory": "2000Gi", "pods": "110", "nvidia.com/gpu": str(gpus)}
    images = [{"names": [f"registry.example.org/team/image-{i}@sha256:{i:064x}", f"registry.example.org/team/image-{i}:1"],
               "sizeBytes": 1_000_000 * i} for i in range(1, 31)]
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": labels},
            "status": {"capacity": amounts, "allocatable": amounts, "images": images,
                       "conditions": [{"type": "Ready", "status": ready, "reason": "KubeletReady",
                                       "message": "kubelet is posting ready status"}]}}


def pod(name, gpus, on):
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "namespace": "default"},
            "spec": {"nodeSelector": {"kubernetes.io/hostname": on}, "containers": [
                {"name": "main", "image": "none", "resources": {"limits": {"nvidia.com/gpu": str(gpus)}}}]}}


def muster(*words, memory=256):
    return [java, f"-Xmx{memory}m", "-cp", classpath, "FleetReading", *words]


def read(config, seconds=60):
    done = subprocess.run(muster("read", config, str(seconds)), capture_output=True, text=True, timeout=seconds + 60)
    return done.returncode, done.stdout, done.stderr


class Followed:
    """A process that follows the cluster; its lines with the time they came at."""

    def __init__(self, config):
        self.lines = queue.Queue()
        self.process = start(*muster("follow", config, "20"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        threading.Thread(target=self.gather, daemon=True).start()

    def gather(self):
        for line in self.process.stdout:
            self.lines.put((time.monotonic(), line.rstrip()))

    def await_line(self, pattern, seconds=30):
        """The time at which a line came that matches."""
        stop = time.monotonic() + seconds
        while True:
            try:
                at, line = self.lines.get(timeout=max(0.01, stop - time.monotonic()))
            except queue.Empty:
                return None
            if re.search(pattern, line):
                return at

    def measured(self, name, action, pattern, limit=FOLLOW_SECONDS):
        begin = time.monotonic()
        status, text = action()
        at = self.await_line(pattern)
        took = None if at is None else at - begin
        check(name, status in (200, 201) and took is not None and took <= limit,
              "not seen" if took is None else f"{took:.2f} s" if status in (200, 201) else f"{status} {text[:300]}")


class Served:
    """A 'muster serve' that follows the cluster."""

    def __init__(self, config):
        self.process = start(muster_command, "serve", "--source", "kubernetes", "--listen", "127.0.0.1:0", "--no-token",
                             stdout=subprocess.PIPE, text=True, env={**os.environ, "KUBECONFIG": config})
        self.address = self.process.stdout.readline().strip().rstrip("/")

    def fleet(self):
        with urllib.request.urlopen(self.address + "/api/v1/fleet", timeout=10) as answer:
            return json.load(answer)

    def told(self, name, condition, limit=FOLLOW_SECONDS):
        """Waits until its document is so."""
        begin = time.monotonic()
        fleet = self.fleet()
        while not condition(fleet) and time.monotonic() < begin + limit:
            time.sleep(0.02)
            fleet = self.fleet()
        check(name, condition(fleet), f"{time.monotonic() - begin:.2f} s {fleet['sources'][0].get('failure', '')}"
              + (f", {fleet['sources'][0]['ageSeconds']} s old" if "ageSeconds" in fleet["sources"][0] else ""))
        return fleet


def state_of(fleet, name):
    return next((each["state"]["text"] for each in fleet["hosts"] if each["name"] == name), "")


def small_cluster(config):
    for name in ("gpu-a", "gpu-b"):
        status, text = api.ask("POST", "/api/v1/nodes", node(name))
        if status != 201:
            raise SystemExit(f"a node is refused: {status} {text[:500]}")
    for name, gpus in (("train", 8), ("too-large", 9)):
        api.ask("POST", "/api/v1/namespaces/default/pods", pod(name, gpus, "gpu-a"))
    pods = "/api/v1/namespaces/default/pods"
    wait(lambda: '"nodeName":"gpu-a"' in api.ask("GET", pods + "/train")[1], "a place for the pod", 60)
    code, out, err = read(config)
    check("reads nodes", "report hosts 2 devices 16 claims 1 gaps 0" in out, out.splitlines()[0] if out else err)
    check("reads the pod that the scheduler has bound, and not the one that waits",
          "holder=pod default/train, user=, count=8" in out and "too-large" not in out)
    check("reads labels", "NVIDIA H100 80GB HBM3" in out and "kind=LEAF" in out and "host gpu-b Ready" in out)


def certificates():
    for name in ("rsa", "ec"):
        code, out, err = read(kubeconfig(name, f"{{client-certificate: {name}.crt, client-key: {name}.key}}"))
        check(f"a client's certificate with a key of {name}", "report hosts 2 " in out, err.strip())


def refusals():
    code, out, err = read(kubeconfig("wrong", "{token: unknown}"))
    check("a wrong token is one sentence", code == 1 and "(401)" in err and len(err.splitlines()) == 1, err.strip())
    code, out, err = read(kubeconfig("guest", "{token: guest}"))
    check("missing rights are one sentence", code == 1 and "(403)" in err and len(err.splitlines()) == 1, err.strip())


def following(config, apiserver):
    followed = Followed(config)
    check("follows", followed.await_line("report hosts 2 ") is not None)
    served = Served(config)
    served.told("serve follows", lambda fleet: len(fleet["hosts"]) == 2, 20)
    followed.measured("sees a new node", lambda: api.ask("POST", "/api/v1/nodes", node("gpu-c")), "report hosts 3 ")
    ready = {"status": {"conditions": [{"type": "Ready", "status": "False", "message": "gone"}]}}
    followed.measured("sees that a node is down", lambda: api.ask(
        "PATCH", "/api/v1/nodes/gpu-c/status", ready, "application/strategic-merge-patch+json"), "host gpu-c NotReady ")
    followed.measured("sees a cordon", lambda: api.ask(
        "PATCH", "/api/v1/nodes/gpu-b", {"spec": {"unschedulable": True}}, "application/merge-patch+json"),
        "host gpu-b Ready,SchedulingDisabled ")
    served.told("serve tells it too", lambda fleet: state_of(fleet, "gpu-b") == "Ready,SchedulingDisabled")
    followed.measured("sees that a pod is gone", lambda: api.ask(
        "DELETE", "/api/v1/namespaces/default/pods/train?gracePeriodSeconds=0"), "report .* claims 0")
    end(apiserver)
    check("says that the server is gone", followed.await_line("^failed ") is not None)
    fleet = served.told("serve says so with an age, and keeps what it knew",
                lambda fleet: fleet["sources"][0].get("ageSeconds", 1 << 30) <= 90 and len(fleet["hosts"]) == 3)
    later = fleet["sources"][0].get("ageSeconds", 0) + 2
    served.told("the age grows", lambda fleet: fleet["sources"][0]["ageSeconds"] >= later, 5)
    apiserver = start_server()
    check("comes back behind a restart of the server", followed.await_line("report hosts 3 ", 60) is not None)
    served.told("serve is back too", lambda fleet: "failure" not in fleet["sources"][0], 60)
    followed.measured("sees a change behind the restart", lambda: api.ask("DELETE", "/api/v1/nodes/gpu-c"), "report hosts 2 ")
    served.told("serve tells it too", lambda fleet: len(fleet["hosts"]) == 2)
    end(served.process)
    followed.process.stdin.close()
    try:
        check("ends", followed.process.wait(20) == 0)
    except subprocess.TimeoutExpired:
        check("ends", False)
    return apiserver


def large_cluster(config):
    begin = time.monotonic()
    names = queue.Queue()
    refused = []
    for i in range(NODES - 2):
        names.put(i)

    def make():
        own = Api()
        while True:
            try:
                i = names.get_nowait()
            except queue.Empty:
                return
            status, text = own.ask("POST", "/api/v1/nodes", node(f"node-{i:05d}", i))
            if status != 201:
                refused.append((status, text[:200]))

    makers = [threading.Thread(target=make) for _ in range(8)]
    for maker in makers:
        maker.start()
    for maker in makers:
        maker.join()
    check(f"{NODES} nodes are made", not refused, f"{time.monotonic() - begin:.0f} s {refused[:1] or ''}")
    size = len(api.ask("GET", "/api/v1/nodes/node-00000")[1])
    code, out, err = read(config)
    took = re.search(r"took ([0-9.]+) s, at most ([0-9]+) kB", out)
    good = (f"report hosts {NODES} devices {NODES * GPUS} " in out and took is not None
            and float(took[1]) <= LIST_SECONDS and int(took[2]) <= LIST_MEGABYTES * 1024)
    check(f"{NODES} nodes of {size} bytes with {GPUS} GPUs each within {LIST_SECONDS:.0f} s and {LIST_MEGABYTES} MB", good,
          out.strip().splitlines()[-1] if out else err)
    followed = Followed(config)
    check("follows so many", followed.await_line(f"report hosts {NODES} ", 60) is not None)
    followed.measured("sees one of so many go", lambda: api.ask("DELETE", "/api/v1/nodes/node-00007"),
                      f"report hosts {NODES - 1} ")
    with open(f"/proc/{followed.process.pid}/status") as status:
        peak = int(re.search(r"VmHWM:\s+(\d+)", status.read())[1])
    check("in no more memory", peak <= LIST_MEGABYTES * 1024, f"{peak} kB")
    followed.process.stdin.close()


def main():
    openssl("genrsa", "-out", key, "2048")
    make_certificates()
    with open(os.path.join(folder, "tokens"), "w") as out:
        out.write('secret,admin,1,"system:masters"\nguest,guest,2,"guests"\n')
    start("etcd", "--data-dir", os.path.join(folder, "etcd"), "--listen-client-urls", f"http://127.0.0.1:{ETCD}",
          "--advertise-client-urls", f"http://127.0.0.1:{ETCD}", "--listen-peer-urls", f"http://127.0.0.1:{PEER}",
          "--initial-advertise-peer-urls", f"http://127.0.0.1:{PEER}", "--initial-cluster",
          f"default=http://127.0.0.1:{PEER}", "--quota-backend-bytes", str(4 << 30))
    apiserver = start_server()
    config = kubeconfig("config", "{token: secret}")
    start(scheduler, "--kubeconfig=" + config, "--leader-elect=false", "--secure-port=0", "--port=0")
    wait(lambda: api.ask("GET", "/api/v1/namespaces/default")[0] == 200, "the namespace default")
    small_cluster(config)
    certificates()
    refusals()
    following(config, apiserver)
    kube_plans.plans(kube_plans.Plans(api, check, wait, muster_command, config, definitions), node)
    large_cluster(config)


key = os.path.join(folder, "key")
try:
    main()
except (SystemExit, Exception) as e:
    print(f"FAILED: {e}", flush=True)
    log.flush()
    failed = True
finally:
    for child in reversed(children):
        end(child)
if failed and os.environ.get("MUSTER_SHOW_LOG"):
    with open(os.path.join(folder, "log")) as said:
        shutil.copyfileobj(said, sys.stderr)
sys.exit(1 if failed else 0)
