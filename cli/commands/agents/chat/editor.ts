import { clearScreenDown, createInterface, cursorTo, moveCursor } from 'node:readline'
import { interrupt } from '../../../interrupt.ts'
import { displayWidth, style } from '../../../terminal.ts'

/** Pasted lines arrive together; typing the next line takes longer. */
const PASTE_MS = 30
const HISTORY_MAX = 500
const COLUMNS_DEFAULT = 80

interface EditorOptions {
  prompt: string
  /** Latest line first; changed when a line is entered. */
  history: string[]
  /** Typed before. */
  draft?: string
  onMessage: (text: string) => void
  /** Called on Ctrl+D with the unfinished message. */
  onEnd: (text: string | null) => void
}

export type Editor = ReturnType<typeof openEditor>

/**
 * A message is one line, a pasted text, lines ending with a backslash, or a fenced block. `write` prints other output
 * above.
 */
export function openEditor({ prompt, history, draft = '', onMessage, onEnd }: EditorOptions) {
  const screen = process.stderr
  const reader = createInterface({
    input: process.stdin,
    output: screen,
    prompt,
    history: [...history],
    historySize: HISTORY_MAX,
    removeHistoryDuplicates: true,
  })
  const lines: string[] = []
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let shownPrompt = prompt
  let status = ''
  /** Where the output above ends; zero at the start of a line. */
  let column = 0

  const draw = () => {
    const label = lines.length > 0 ? '… ' : shownPrompt
    reader.setPrompt(status === '' ? label : `${style('dim', status)} ${label}`)
    reader.prompt(true)
  }
  const erase = () => {
    moveCursor(screen, 0, -reader.getCursorPos().rows)
    cursorTo(screen, 0)
    clearScreenDown(screen)
    if (column > 0)
      moveCursor(screen, column, -1)
      // The reader moves up by the rows it drew last.
    ;(reader as unknown as { prevRows: number }).prevRows = 0
  }
  const submitIfComplete = () => {
    if (reader.line !== '' || isClosed) return
    const { text, isComplete } = joinLines(lines)
    if (isComplete) lines.length = 0
    if (isComplete && text.trim() !== '') onMessage(text)
    if (!isClosed) draw()
  }

  reader.on('history', (entries: string[]) => history.splice(0, Number.POSITIVE_INFINITY, ...entries))
  reader.on('line', (line) => {
    lines.push(line)
    // The typed text stays; output continues below it.
    column = 0
    clearTimeout(timer)
    timer = setTimeout(submitIfComplete, PASTE_MS)
  })
  // The terminal is in raw mode, so Ctrl+C reaches the reader instead of the process.
  reader.on('SIGINT', () => {
    if (lines.length === 0 && reader.line === '') return interrupt()
    lines.length = 0
    reader.write(null, { ctrl: true, name: 'e' })
    reader.write(null, { ctrl: true, name: 'u' })
    draw()
  })
  reader.on('close', () => {
    if (isClosed) return
    isClosed = true
    clearTimeout(timer)
    screen.write('\n')
    onEnd(lines.length > 0 ? joinLines(lines).text : null)
  })
  reader.prompt()
  if (draft !== '') reader.write(draft)

  return {
    write(text: string): void {
      if (isClosed) return void screen.write(text)
      if (text === '') return
      erase()
      screen.write(text)
      column = columnAfter(column, text, screen.columns ?? COLUMNS_DEFAULT)
      if (column > 0) screen.write('\n')
      // The cursor can't return to the last column, so the text continues in the next row.
      if (column === screen.columns) column = 0
      draw()
    },
    setPrompt(next: string): void {
      if (next === shownPrompt || isClosed) return
      shownPrompt = next
      draw()
    },
    /** Shown before the prompt; empty for none. */
    setStatus(next: string): void {
      if (next === status || isClosed) return
      status = next
      draw()
    },
    close(): string {
      if (isClosed) return ''
      const typed = [...lines, reader.line].join('\n')
      erase()
      if (column > 0) screen.write('\n')
      isClosed = true
      clearTimeout(timer)
      reader.close()
      return typed
    },
  }
}

const TAB_COLUMNS = 8
const graphemes = new Intl.Segmenter()

/** Accounts for terminals wrapping at the last column. A full row gives `columns`. */
function columnAfter(start: number, text: string, columns: number): number {
  const end = text.lastIndexOf('\n')
  let column = end === -1 ? start : 0
  for (const { segment } of graphemes.segment(text.slice(end + 1))) {
    if (segment === '\t') {
      column = Math.min(column + TAB_COLUMNS - (column % TAB_COLUMNS), columns - 1)
      continue
    }
    const width = displayWidth(segment)
    column = column + width > columns ? width : column + width
  }
  return column
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/

/** An open fenced block or a trailing backslash continues the message. */
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
