/** Accepts lines, JSON or curl options. */
export function parseHeaders(text: string): Record<string, string> {
  const json = asJson(text)
  if (json) return json
  const lines = text.split('\n').map((line) =>
    line
      .trim()
      .replace(/\s*\\$/, '')
      .replace(/^(-H|--header)\s+/, '')
      .replace(/^(['"])(.*)\1$/, '$2'),
  )
  return Object.fromEntries(
    lines
      .map((line) => /^([\w!#$%&'*+.^`|~-]+)\s*:\s*(.*)$/.exec(line))
      .filter((match) => match !== null)
      .map(([, name, value]) => [name!.toLowerCase(), value!]),
  )
}

function asJson(text: string): Record<string, string> | null {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name.toLowerCase(), String(each)]))
  } catch {
    return null
  }
}
