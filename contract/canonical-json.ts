/** RFC 8785, for hashing. Omits undefined members as JSON.stringify does, and refuses values JSON can't represent. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value === 'object' && value !== null) return canonicalObject(value as Record<string, unknown>)
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new TypeError(`${value} is not a JSON number`)
  if (typeof value === 'string' && !value.isWellFormed())
    throw new TypeError('A string is not well-formed Unicode')
  // The RFC adopts ECMAScript's number format and escapes.
  const text = JSON.stringify(value)
  if (text === undefined) throw new TypeError(`${typeof value} is not a JSON value`)
  return text
}

function canonicalObject(value: Record<string, unknown>): string {
  // Sorts by UTF-16 code units, as the RFC requires.
  const names = Object.keys(value)
    .filter((name) => value[name] !== undefined)
    .sort()
  return `{${names.map((name) => `${canonicalJson(name)}:${canonicalJson(value[name])}`).join(',')}}`
}
