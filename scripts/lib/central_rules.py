#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What Maven Central asks of an upload, and what Muster promises beyond that: central_rules.py REPOSITORY

Reads a repository of Maven in a folder. Signatures are verified with the keys that gpg finds (GNUPGHOME).
Prints what is wrong, one line each, and ends with 1; or one line with figures and 0.
"""

import hashlib
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as xml
import zipfile

GROUP = "dev.muster"
BOM = "muster-bom"
NOT_OURS_TO_GIVE = {"muster-parent", "muster-bench", "muster-browser", "muster-checks", "muster-mesh-processes"}
NAMESPACE = re.compile(r"^\{[^}]*\}")
SUMS = {".md5": hashlib.md5, ".sha1": hashlib.sha1}
IN_EVERY_JAR = ("META-INF/LICENSE", "META-INF/NOTICE")
REQUIRED = (
    "name",
    "description",
    "url",
    "licenses/license/name",
    "licenses/license/url",
    "developers/developer/name",
    "scm/connection",
    "scm/developerConnection",
    "scm/url",
)


def read_pom(path):
    root = xml.parse(path).getroot()
    for element in root.iter():
        element.tag = NAMESPACE.sub("", element.tag)
    return root


def text(pom, path):
    return (pom.findtext(path) or "").strip()


class Rules:
    def __init__(self, repository):
        self.repository = repository
        self.wrong = []
        self.files = 0
        self.signatures = 0

    def say(self, path, what):
        self.wrong.append(f"{path.relative_to(self.repository)}: {what}")

    def check(self):
        group = self.repository.joinpath(*GROUP.split("."))
        poms = sorted(self.repository.glob("**/*.pom"))
        if not poms:
            self.wrong.append(f"{self.repository}: POM not found")
        for path in poms:
            if path.parents[2] != group:
                self.say(path, f"is not of the group {GROUP}")
        artifacts = {path.parent.parent.name: path for path in poms}
        versions = {path.parent.name for path in poms}
        if len(versions) > 1:
            self.wrong.append(f"more than one version: {' '.join(sorted(versions))}")
        for name in sorted(NOT_OURS_TO_GIVE & artifacts.keys()):
            self.say(artifacts[name], "is for this tree alone and must not be deployed")
        for name, path in artifacts.items():
            self.check_artifact(name, path)
        self.check_bom(artifacts)
        return artifacts

    def check_artifact(self, name, path):
        pom = read_pom(path)
        self.check_pom(name, path, pom)
        stem = f"{name}-{path.parent.name}"
        expected = {f"{stem}.pom"}
        if text(pom, "packaging") != "pom":
            expected |= {f"{stem}.jar", f"{stem}-sources.jar", f"{stem}-javadoc.jar"}
        derived = tuple(SUMS) + (".asc", ".sha256", ".sha512")
        found = {file.name for file in path.parent.iterdir() if not file.name.endswith(derived)}
        for missing in sorted(expected - found):
            self.say(path.parent / missing, "is missing")
        for more in sorted(found - expected):
            self.say(path.parent / more, "is not expected")
        for each in sorted(expected & found):
            self.check_file(path.parent / each)

    def check_pom(self, name, path, pom):
        for element in REQUIRED:
            if not text(pom, element):
                self.say(path, f"has no {element}")
        if pom.find("parent") is not None:
            self.say(path, "has a parent")
        for section in ("build", "profiles", "repositories", "pluginRepositories", "distributionManagement"):
            if pom.find(section) is not None:
                self.say(path, f"has <{section}>, which only this tree needs")
        told = (text(pom, "groupId"), text(pom, "artifactId"), text(pom, "version"))
        if told != (GROUP, name, path.parent.name):
            self.say(path, f"says that it is {':'.join(told)}")
        if "SNAPSHOT" in told[2]:
            self.say(path, "is a snapshot")
        for dependency in pom.iter("dependency"):
            version = text(dependency, "version")
            label = f"{text(dependency, 'groupId')}:{text(dependency, 'artifactId')}"
            if not version or "SNAPSHOT" in version or not re.fullmatch(r"[\w.+-]+", version):
                self.say(path, f"has no fixed version of {label}: '{version}'")
            if text(dependency, "scope") == "test":
                self.say(path, f"names {label}, which only tests need")
            if text(dependency, "artifactId") in NOT_OURS_TO_GIVE:
                self.say(path, f"needs {label}, which is not deployed")
        if "${" in path.read_text(encoding="utf-8"):
            self.say(path, "has a property that is not resolved")

    def check_file(self, path):
        self.files += 1
        content = path.read_bytes()
        for suffix, algorithm in SUMS.items():
            sum_file = path.with_name(path.name + suffix)
            if not sum_file.is_file():
                self.say(sum_file, "is missing")
            elif sum_file.read_text(encoding="ascii").split()[:1] != [algorithm(content).hexdigest()]:
                self.say(sum_file, "is not the sum of its file")
        self.check_signature(path)
        if path.suffix == ".jar":
            self.check_jar(path)

    def check_signature(self, path):
        signature = path.with_name(path.name + ".asc")
        if not signature.is_file():
            self.say(signature, "is missing")
            return
        command = ["gpg", "--batch", "--status-fd", "1", "--verify", str(signature), str(path)]
        run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        if run.returncode != 0 or "[GNUPG:] VALIDSIG " not in run.stdout:
            self.say(signature, "does not verify")
        else:
            self.signatures += 1

    def check_jar(self, path):
        try:
            with zipfile.ZipFile(path) as jar:
                names = set(jar.namelist())
                damaged = jar.testzip()
        except zipfile.BadZipFile as problem:
            self.say(path, f"is not a jar: {problem}")
            return
        if damaged:
            self.say(path, f"is damaged at {damaged}")
        for name in IN_EVERY_JAR:
            if name not in names:
                self.say(path, f"has no {name}")
        kind, suffix = "classes", ".class"
        if path.name.endswith("-sources.jar"):
            kind, suffix = "sources", ".java"
        elif path.name.endswith("-javadoc.jar"):
            kind, suffix = "pages", ".html"
        if not any(name.endswith(suffix) for name in names):
            self.say(path, f"has no {kind}")

    def check_bom(self, artifacts):
        if BOM not in artifacts:
            self.wrong.append(f"there is no {BOM}")
            return
        path = artifacts[BOM]
        pom = read_pom(path)
        if pom.find("dependencies") is not None:
            self.say(path, "has dependencies of its own")
        managed = {}
        for dependency in pom.iterfind("dependencyManagement/dependencies/dependency"):
            managed[text(dependency, "artifactId")] = text(dependency, "version")
        for name in sorted(artifacts.keys() - managed.keys() - {BOM}):
            self.say(path, f"does not name {name}")
        for name in sorted(managed.keys() - artifacts.keys()):
            self.say(path, f"names {name}, which is not there")
        for name in sorted(managed.keys() & artifacts.keys()):
            if managed[name] != artifacts[name].parent.name:
                self.say(path, f"names {name} {managed[name]}, deployed is {artifacts[name].parent.name}")


def main(arguments):
    if len(arguments) != 1 or not pathlib.Path(arguments[0]).is_dir():
        print("usage: central_rules.py REPOSITORY (a folder)", file=sys.stderr)
        return 2
    rules = Rules(pathlib.Path(arguments[0]).resolve())
    artifacts = rules.check()
    for line in rules.wrong:
        print(f"central-rules: {line}", file=sys.stderr)
    if rules.wrong:
        return 1
    print(f"central-rules: {len(artifacts)} artifacts, {rules.files} files, {rules.signatures} signatures: nothing is wrong")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
