const TASK = /^((?:[\s>]|(?:[-*+]|\d{1,9}[.)])\s)*(?:[-*+]|\d{1,9}[.)])\s+)\[([ xX])\]/
const ITEM = /^(\s*)([-*+]|(\d{1,9})([.)]))(\s+)(\[[ xX]\]\s+)?/

/** Returns the text unchanged if the line has no task. */
export function toggleTask(text: string, line: number): string {
  const lines = text.split(/\r\n?|\n/)
  const before = lines[line]
  if (before === undefined || !TASK.test(before)) return text
  lines[line] = before.replace(
    TASK,
    (_, start: string, mark: string) => `${start}[${mark === ' ' ? 'x' : ' '}]`,
  )
  return lines.join('\n')
}

/** Enter at a list item's end begins the next item, or ends the list after an empty one. Undefined outside lists. */
export function continueList(text: string, caret: number): { from: number; insert: string } | undefined {
  const start = text.lastIndexOf('\n', caret - 1) + 1
  const line = text.slice(start, caret)
  const match = ITEM.exec(line)
  if (!match || (text[caret] ?? '\n') !== '\n') return undefined
  const [marker, indent, bullet, number, sign, space, task] = match
  if (line.length === marker.length) return { from: start, insert: '' }
  const next = number ? `${Number(number) + 1}${sign}` : bullet
  return { from: caret, insert: `\n${indent}${next}${space}${task ? '[ ] ' : ''}` }
}
