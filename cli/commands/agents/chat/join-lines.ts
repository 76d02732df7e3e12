const FENCE = /^ {0,3}(`{3,}|~{3,})/

/** Joins the lines of a message. An open fenced block, and a backslash at the end of the last line, continue it. */
export function joinLines(lines: readonly string[]): { text: string; isComplete: boolean } {
  let fence: string | null = null
  let isContinued = false
  const joined = lines.map((line) => {
    const mark = FENCE.exec(line)?.[1]
    const isClosing = fence !== null && mark?.startsWith(fence) === true && line.trim() === mark
    const isInside = fence !== null
    if (isClosing) fence = null
    else if (fence === null && mark !== undefined) fence = mark
    isContinued = !isInside && mark === undefined && line.endsWith('\\')
    return isContinued ? line.slice(0, -1) : line
  })
  return { text: joined.join('\n'), isComplete: fence === null && !isContinued }
}
