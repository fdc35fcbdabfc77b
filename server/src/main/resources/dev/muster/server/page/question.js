// SPDX-License-Identifier: Apache-2.0
/* The body of a question from the texts of a form, by the schema that the server describes. Without a page, so that it
   can be tested alone. */

/* Commas separate items; those in brackets belong to a machine such as [h100-sxm:8,xgmi]. */
function items(text) {
  return text.split(/,(?![^[]*\])/).map(one => one.trim());
}

export function question(schema, texts) {
  const body = {};
  for (const [name, one] of Object.entries(schema.properties)) {
    const value = typeof texts[name] === "string" ? texts[name].trim() : texts[name];
    if (value) {
      body[name] = one.type === "array" ? items(value)
        : ["integer", "number"].includes(one.type) ? Number(value) : value;
    }
  }
  return body;
}
