// SPDX-License-Identifier: Apache-2.0
// Formats numbers for people; unknown values are shown as such.
export const UNKNOWN = "unknown";

function known(value) {
  return typeof value === "number" && Number.isFinite(value);
}

export function bytes(value) {
  if (!known(value)) {
    return UNKNOWN;
  }
  const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${value.toFixed(unit === 0 ? 0 : 1)} ${units[unit]}`;
}

export function rate(value) {
  return known(value) ? `${value < 1e10 ? Number((value / 1e9).toFixed(2)) : (value / 1e9).toFixed(0)} GB/s` : UNKNOWN;
}

/** What is used of a total, in the unit of the total. */
export function usedOf(used, total) {
  return known(used) && known(total) ? `${(used / 1024 ** 3).toFixed(1)} / ${bytes(total)}` : bytes(known(total) ? total : used);
}

export function percent(value) {
  return known(value) ? `${Math.round(value * 100)} %` : UNKNOWN;
}

export function watts(value) {
  return known(value) ? `${Math.round(value)} W` : UNKNOWN;
}

export function celsius(value) {
  return known(value) ? `${Math.round(value)} °C` : UNKNOWN;
}

export function hertz(value) {
  return known(value) ? `${Math.round(value / 1e6)} MHz` : UNKNOWN;
}

export function seconds(value) {
  if (!known(value)) {
    return UNKNOWN;
  }
  return value < 0.9995 ? `${threeDigits(value * 1000)} ms` : `${threeDigits(value)} s`;
}

/** A long time, in its two largest units. */
export function duration(value) {
  if (!known(value)) {
    return UNKNOWN;
  }
  const units = [["d", 86400], ["h", 3600], ["min", 60], ["s", 1]];
  const first = Math.max(0, units.findIndex(([, size]) => value >= size));
  const most = value < 1 ? 3 : first;
  return units.slice(most, most + 2).map(([name, size], i) =>
    `${Math.floor((i === 0 ? value : value % units[most][1]) / size)} ${name}`).filter(text => !text.startsWith("0 ") || value < 1).join(" ");
}

function threeDigits(value) {
  return value < 999.5 ? value.toPrecision(3) : value.toFixed(0);
}

export function number(value, digits = 3) {
  return known(value) ? Number(value.toPrecision(digits)).toLocaleString("en") : UNKNOWN;
}

/** A value of a registry document by its key, whose end names the unit. */
export function byKey(key, value) {
  if (Array.isArray(value)) {
    return value.map(one => typeof one === "object" ? Object.values(one).join(" ") : one).join(", ") || "none";
  }
  if (typeof value === "boolean") {
    return value ? "yes" : "no";
  }
  if (!known(value)) {
    return value === null || value === undefined ? UNKNOWN : String(value);
  }
  if (key.endsWith("BytesPerSecond")) return rate(value);
  if (key.endsWith("Bytes")) return bytes(value);
  if (key.endsWith("Ratio")) return percent(value);
  if (key.endsWith("Watts")) return watts(value);
  if (key.endsWith("Celsius")) return celsius(value);
  if (key.endsWith("Hertz")) return hertz(value);
  if (key.endsWith("Joules")) return `${number(value / 3.6e6, 4)} kWh`;
  if (key.endsWith("Seconds")) return seconds(value);
  return value.toLocaleString("en");
}

/** `memoryTotalBytes` as `memory total`. */
export function label(key) {
  return key
    .replace(/(BytesPerSecond|Bytes|Ratio|Watts|Celsius|Hertz|Joules|Seconds)$/, "")
    .replace(/([A-Z])/g, " $1")
    .toLowerCase();
}
