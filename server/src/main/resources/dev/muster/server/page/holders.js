// SPDX-License-Identifier: Apache-2.0
/* What hosts of a fleet use together, and who holds what. Without a page, so that it can be tested alone. */

const IDLE = 0.05;

function known(devices, key) {
  return devices.map(one => one[key]).filter(Number.isFinite);
}

function sum(values) {
  return values.length ? values.reduce((a, b) => a + b, 0) : undefined;
}

/** A host with its totals and the words it is found by. What no device tells stays unknown. */
export function withTotals(host) {
  const loads = known(host.devices, "utilizationRatio");
  const temperatures = known(host.devices, "temperatureCelsius");
  const owners = [...new Set(host.claims.map(one => one.user).filter(Boolean))].join(", ");
  return {...host, owners, count: host.devices.length,
    load: loads.length ? sum(loads) / loads.length : undefined,
    power: sum(known(host.devices, "powerWatts")),
    memory: sum(known(host.devices, "memoryTotalBytes")),
    memoryUsed: sum(known(host.devices, "memoryUsedBytes")),
    temperature: temperatures.length ? Math.max(...temperatures) : undefined,
    words: [host.name, host.state.kind, host.devices[0]?.deviceName ?? "", owners, ...host.domains].join(" ").toLowerCase()};
}

/** The devices of a claim: those it names, else all of the host where it holds all. */
function held(host, claim) {
  return claim.devices?.length ? host.devices.filter(one => claim.devices.includes(one.id))
    : claim.count === host.devices.length ? host.devices : [];
}

/** Users with the devices they hold. Idle are devices that are held, tell their load, and do nothing. */
export function users(hosts) {
  const found = new Map();
  for (const host of hosts) {
    for (const claim of host.claims) {
      const name = claim.user || claim.holder;
      const user = found.get(name) ?? {name, devices: 0, hosts: new Set(), holders: new Set(), loads: [], powers: []};
      found.set(name, user);
      user.devices += claim.count;
      user.hosts.add(host.name);
      user.holders.add(claim.holder);
      user.loads.push(...known(held(host, claim), "utilizationRatio"));
      user.powers.push(...known(held(host, claim), "powerWatts"));
    }
  }
  return [...found.values()].map(one => ({...one, known: one.loads.length, idle: one.loads.filter(load => load < IDLE).length,
    load: one.loads.length ? sum(one.loads) / one.loads.length : undefined, power: sum(one.powers)}))
    .sort((a, b) => b.idle - a.idle || b.devices - a.devices);
}
