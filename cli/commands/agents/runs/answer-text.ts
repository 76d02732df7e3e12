import { sanitizeLines } from '../../../terminal.ts'
import type { RunOutput } from './run-output.ts'

/**
 * Writes the text of an agent to standard output. In a terminal it appears while it arrives. A file or a pipe gets the
 * text of a step when the step is complete, so that an attempt that broke off leaves nothing there.
 */
export function createAnswerText(output: RunOutput['text']) {
  const isLive = output.isTTY === true
  let pending = ''
  let isLineOpen = false
  const write = (text: string) => {
    if (text === '') return
    output.write(isLive ? sanitizeLines(text) : text)
    isLineOpen = !text.endsWith('\n')
  }
  const endLine = () => {
    if (isLineOpen) write('\n')
  }
  return {
    add(text: string): void {
      if (isLive) write(text)
      else pending += text
    },
    /** Ends a step; text of an attempt that was interrupted or failed is dropped. */
    endStep(isDone: boolean): void {
      if (isDone) write(pending)
      pending = ''
      endLine()
    },
    /** Ends the current line before a message appears below it. */
    endLine,
  }
}
