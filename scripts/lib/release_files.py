# SPDX-License-Identifier: Apache-2.0
"""What goes with a release: `bom` is a CycloneDX bill of what is in the archive, `provenance` an in-toto statement."""
import hashlib
import io
import json
import os
import re
import sys
import tarfile
import uuid
import zipfile

LICENCES = {
    "dev.muster": "Apache-2.0", "org.snakeyaml": "Apache-2.0", "org.eclipse.jetty": "Apache-2.0", "org.slf4j": "MIT",
}


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def component(kind, name, version, purl, licence, **more):
    return {"type": kind, "bom-ref": purl, "name": name, "version": version, "purl": purl,
            "licenses": [{"expression": licence}], **more}


def of_jar(data):
    """A jar by the coordinates that Maven left in it; a jar without them, or of an unknown group, is an error."""
    with zipfile.ZipFile(io.BytesIO(data)) as jar:
        [place] = [name for name in jar.namelist() if re.fullmatch(r"META-INF/maven/.*/pom\.properties", name)]
        lines = jar.read(place).decode().splitlines()
    at = dict(line.split("=", 1) for line in lines if "=" in line)
    group, name, version = at["groupId"], at["artifactId"], at["version"]
    return component("library", name, version, f"pkg:maven/{group}/{name}@{version}?type=jar", LICENCES[group],
                     group=group, hashes=[{"alg": "SHA-256", "content": sha256(data)}])


def bom(version, time, archive):
    parts = []
    with tarfile.open(archive) as tar:
        for member in tar:
            if re.search(r"/lib/muster/(lib|live)/[^/]+\.jar$", member.name):
                parts.append(of_jar(tar.extractfile(member).read()))
            elif member.name.endswith("/lib/muster/runtime/release"):
                release = dict(re.findall(r'(\w+)="(.*)"', tar.extractfile(member).read().decode()))
    java = release["JAVA_RUNTIME_VERSION"]
    maker = "temurin" if "Adoptium" in release["IMPLEMENTOR"] else "openjdk-25"
    parts.append(component("framework", maker, java, f"pkg:generic/{maker}@{java.replace('+', '%2B')}",
                           "GPL-2.0-only WITH Classpath-exception-2.0", description="modules " + release["MODULES"]))
    with open("pom.xml", encoding="utf-8") as pom:
        text = pom.read()
    [chart] = re.findall("<chart.version>(.*)</chart.version>", text)
    [color] = re.findall("<chart.color.version>(.*)</chart.color.version>", text)
    parts.append(component("library", "chart.js", chart, f"pkg:npm/chart.js@{chart}", "MIT", description="in muster-server"))
    parts.append(component("library", "color", color, f"pkg:npm/%40kurkle/color@{color}", "MIT", group="@kurkle",
                           description="in Chart.js's file in muster-server"))
    parts.sort(key=lambda part: part["bom-ref"])
    whole = component("application", "muster", version, f"pkg:generic/muster@{version}", "Apache-2.0")
    with open(archive, "rb") as file:
        digest = sha256(file.read())
    return {
        "bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
        "serialNumber": "urn:uuid:" + str(uuid.uuid5(uuid.NAMESPACE_URL, digest)),
        "metadata": {"timestamp": time, "component": whole},
        "components": parts,
        "dependencies": [{"ref": whole["bom-ref"], "dependsOn": [part["bom-ref"] for part in parts]}],
    }


def provenance(version, time, commit, *files):
    subjects = []
    for path in sorted(files):
        with open(path, "rb") as file:
            subjects.append({"name": os.path.basename(path), "digest": {"sha256": sha256(file.read())}})
    return {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": subjects,
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": "urn:muster:scripts/dist",
                "externalParameters": {"version": version, "outputTimestamp": time},
                "resolvedDependencies": [{"name": "source", "digest": {"gitCommit": commit}}],
            },
            # Written by who built it, not by a service that would vouch for it.
            "runDetails": {"builder": {"id": "urn:muster:own-machine"}},
        },
    }


print(json.dumps({"bom": bom, "provenance": provenance}[sys.argv[1]](*sys.argv[2:]), indent=2))
