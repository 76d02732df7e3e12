import { printMessage } from '../../../terminal.ts'
import { createStatusLine } from './status-line.ts'

/** Where a run is shown: the text of the agent, messages about the run, and one line with its current activity. */
export interface RunOutput {
  text: Pick<NodeJS.WriteStream, 'isTTY'> & { write: (text: string) => boolean }
  message: (line: string) => void
  status: { show: (text: string) => void; clear: () => void }
}

export const plainOutput = (): RunOutput => ({
  text: process.stdout,
  message: printMessage,
  status: createStatusLine(),
})
