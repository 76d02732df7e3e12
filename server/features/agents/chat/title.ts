const TITLE_CHARACTERS = 80
const FENCE = /^(`{3,}|~{3,})/

/** The first line of a message, cut at a word. A message that begins with a fence has the first line of prose, else of the fence. */
export function titleOf(content: string): string {
  const { prose, fenced } = findFirstLines(content)
  const line = prose ?? fenced ?? content.trim()
  if (line.length <= TITLE_CHARACTERS) return line
  const cut = line.slice(0, TITLE_CHARACTERS).toWellFormed()
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), TITLE_CHARACTERS / 2)).trimEnd()}…`
}

/** The first line of prose that is not empty, and the first one inside a fence. */
function findFirstLines(content: string): { prose: string | undefined; fenced: string | undefined } {
  let open: string | null = null
  let fenced: string | undefined
  for (const line of content.split('\n').map((each) => each.trim())) {
    const marker: string | undefined = FENCE.exec(line)?.[1]
    if (open === null && marker) open = marker
    // The end of a fence is at least as long as its beginning.
    else if (open !== null && marker === line && line.startsWith(open)) open = null
    else if (line !== '' && open === null) return { prose: line, fenced }
    else if (line !== '') fenced ??= line
  }
  return { prose: undefined, fenced }
}
