import { createInterface } from 'node:readline'
import { interrupt } from '../interrupt.ts'
import { joinLines } from './join-lines.ts'

/** Lines of a pasted text arrive together; a person needs longer for the next line. */
const PASTE_MS = 30
const HISTORY_MAX = 500

interface ReadOptions {
  /** The latest line first; changed when a line is entered. */
  history: string[]
  signal?: AbortSignal
}

/**
 * Reads a message from the terminal: one line, a pasted text, lines that end with a backslash, or a fenced block up to
 * its end. Null at the end of the input (Ctrl+D), and when the signal is aborted.
 */
export function readMessage(prompt: string, { history, signal }: ReadOptions): Promise<string | null> {
  const reader = createInterface({
    input: process.stdin,
    output: process.stderr,
    prompt,
    history: [...history],
    historySize: HISTORY_MAX,
    removeHistoryDuplicates: true,
  })
  return new Promise((resolve) => {
    const lines: string[] = []
    let timer: NodeJS.Timeout | undefined
    let isClosed = false
    const finish = (message: string | null) => {
      if (isClosed) return
      isClosed = true
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      reader.close()
      resolve(message)
    }
    const abort = () => finish(null)
    const check = () => {
      if (reader.line !== '' || isClosed) return
      const { text, isComplete } = joinLines(lines)
      if (isComplete && text.trim() !== '') return finish(text)
      if (isComplete) lines.length = 0
      reader.setPrompt(isComplete ? prompt : '… ')
      reader.prompt()
    }
    reader.on('history', (entries: string[]) => history.splice(0, Number.POSITIVE_INFINITY, ...entries))
    reader.on('line', (line) => {
      lines.push(line)
      clearTimeout(timer)
      timer = setTimeout(check, PASTE_MS)
    })
    // The terminal is in raw mode here, so that Ctrl+C reaches the reader instead of the process.
    reader.on('SIGINT', () => {
      const isEmpty = lines.length === 0 && reader.line === ''
      if (isEmpty) return interrupt()
      lines.length = 0
      reader.write(null, { ctrl: true, name: 'e' })
      reader.write(null, { ctrl: true, name: 'u' })
      process.stderr.write('\n')
      reader.setPrompt(prompt)
      reader.prompt()
    })
    reader.on('close', () => finish(lines.length > 0 ? joinLines(lines).text : null))
    if (signal?.aborted) return abort()
    signal?.addEventListener('abort', abort)
    reader.prompt()
  })
}
