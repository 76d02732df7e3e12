export function parseSelections(document: string): Record<string, string[]> {
  const selections: Record<string, string[]> = {}
  const tokens = document.replaceAll(/\([^()]*\)/g, '').match(/[{}]|\w+/g) ?? []
  const path: string[] = []
  let last = ''
  for (const token of tokens) {
    if (token === '{') path.push(last)
    else if (token === '}') path.pop()
    else {
      // The first level is the operation.
      const parent = path.slice(1).join('.')
      if (path.length > 1) selections[parent] = [...(selections[parent] ?? []), token]
      last = token
    }
  }
  return selections
}
