/** By path, such as `tools.0.name`. Empty if the text isn't JSON. */
export function indexJsonPositions(text: string): Map<string, number> {
  const positions = new Map<string, number>()
  let at = 0
  const skipWhitespace = () => {
    while (/\s/.test(text[at] ?? '')) at++
  }
  const take = (character: string) => {
    skipWhitespace()
    if (text[at] !== character) return false
    at++
    return true
  }
  const readString = () => {
    const start = at++
    while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
    return JSON.parse(text.slice(start, ++at)) as string
  }
  const readValue = (path: string[]) => {
    skipWhitespace()
    positions.set(path.join('.'), at)
    if (take('{')) readMembers(path)
    else if (take('[')) readItems(path)
    else if (text[at] === '"') readString()
    else while (/[^\s,\]}]/.test(text[at] ?? ' ')) at++
  }
  const readMembers = (path: string[]) => {
    if (take('}')) return
    do {
      skipWhitespace()
      const name = readString()
      take(':')
      readValue([...path, name])
    } while (take(','))
    take('}')
  }
  const readItems = (path: string[]) => {
    if (take(']')) return
    let index = 0
    do readValue([...path, String(index++)])
    while (take(','))
    take(']')
  }
  try {
    JSON.parse(text)
    readValue([])
  } catch {
    return new Map()
  }
  return positions
}

/** Falls back to the nearest enclosing value: a missing field has no position. */
export function findJsonPosition(text: string, path: string): number | undefined {
  const positions = indexJsonPositions(text)
  const parts = path.split('.')
  for (let length = parts.length; length >= 0; length--) {
    const found = positions.get(parts.slice(0, length).join('.'))
    if (found !== undefined) return found
  }
  return undefined
}

export const lineAt = (text: string, position: number) => text.slice(0, position).split('\n').length
