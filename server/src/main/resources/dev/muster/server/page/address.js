// SPDX-License-Identifier: Apache-2.0
/* The choices of a view stand in its address, so that it can be shared: #/fleet?sort=power&filter=a1. */

/** The path and the choices of an address. */
export function parts(hash) {
  const [path, text = ""] = hash.replace(/^#/, "").split("?", 2);
  return {path: path || "/", choices: new URLSearchParams(text)};
}

export function choice(name, usual = "") {
  return parts(location.hash).choices.get(name) ?? usual;
}

/** The address of this view with other choices; blank values are left out. */
export function address(changes) {
  const {path, choices} = parts(location.hash);
  for (const [name, value] of Object.entries(changes)) {
    if (value === "" || value === undefined || value === false) {
      choices.delete(name);
    } else {
      choices.set(name, value);
    }
  }
  const text = choices.toString();
  return `#${path}${text ? `?${text}` : ""}`;
}

/** Changes the address without a new view. */
export function choose(changes) {
  history.replaceState(null, "", address(changes));
}
