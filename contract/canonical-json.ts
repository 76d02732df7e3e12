/**
 * RFC 8785: the one text of a JSON value, whoever writes it, so that it can be hashed. Members without a value are left
 * out as JSON.stringify does; what JSON cannot hold is refused.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value === 'object' && value !== null) return canonicalObject(value as Record<string, unknown>)
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new TypeError(`${value} is no number of JSON`)
  if (typeof value === 'string' && !value.isWellFormed()) throw new TypeError('A text is broken Unicode')
  // Numbers and escapes are those of ECMAScript, which the RFC names as its own.
  const text = JSON.stringify(value)
  if (text === undefined) throw new TypeError(`${typeof value} is no value of JSON`)
  return text
}

function canonicalObject(value: Record<string, unknown>): string {
  // Without a comparison of their own, texts are sorted by their UTF-16 units, as the RFC has it.
  const names = Object.keys(value)
    .filter((name) => value[name] !== undefined)
    .sort()
  return `{${names.map((name) => `${canonicalJson(name)}:${canonicalJson(value[name])}`).join(',')}}`
}
