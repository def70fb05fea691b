SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#operations",
  deepLinking: true,
  displayRequestDuration: true,
  filter: true,
  tryItOutEnabled: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  validatorUrl: null, // the default asks a server on the internet
  plugins: [() => ({ fn: { resolveSubtree } })],
});

// Swagger UI would go through the whole document for each operation that is opened, which takes seconds. Here it is
// enough to follow the references, which all lead to other places of the same document.
function resolveSubtree(whole, path) {
  const at = (keys) => keys.reduce((value, key) => value?.[key], whole);
  return { errors: [], spec: followed(at(path), (reference) => at(reference.split("/").slice(1))) ?? null };
}

function followed(value, find, inside = []) {
  if (Array.isArray(value)) return value.map((each) => followed(each, find, inside));
  if (value === null || typeof value !== "object") return value;
  const reference = value.$ref;
  if (typeof reference === "string" && !inside.includes(reference)) {
    const { $ref, ...beside } = value;
    return { ...followed(find(reference), find, [...inside, reference]), ...followed(beside, find, inside) };
  }
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, followed(each, find, inside)]));
}
