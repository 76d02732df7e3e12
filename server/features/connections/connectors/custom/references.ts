const PLACEHOLDER = /\{([A-Za-z][\w.]*)\}/g

interface Templates {
  path?: string
  headers?: Record<string, string> | undefined
  query?: unknown
  json?: unknown
  form?: unknown
  graphql?: { variables?: unknown } | undefined
}

/** The names that a request refers to: as `{name}` in its texts, and as `{ "$": "name" }` in its values. */
export function referencesOf({ path = '', headers = {}, query, json, form, graphql }: Templates) {
  const texts = [path, ...Object.values(headers)]
  return {
    inText: texts.flatMap((text) => [...text.matchAll(PLACEHOLDER)].map((match) => match[1]!)),
    inValues: [query, json, form, graphql?.variables].flatMap(referencesIn),
  }
}

function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap(referencesIn)
  if ('$' in value) return [typeof value.$ === 'string' ? value.$ : String(value.$)]
  return Object.values(value).flatMap(referencesIn)
}
