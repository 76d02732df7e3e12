import type { StreamState } from '../client/event-stream.ts'
import { printMessage, style } from './terminal.ts'

interface Report {
  /** Shown when the stream opens. */
  greeting?: string
  message?: (line: string) => void
}

/** Reports when a stream opens, breaks and reconnects; scheduled reconnects are silent. */
export function reportConnection({
  greeting,
  message = printMessage,
}: Report = {}): (state: StreamState) => void {
  let before: StreamState = 'connecting'
  return (state) => {
    if (state === 'lost' && before !== 'lost') message(style('yellow', 'Connection lost. Reconnecting…'))
    if (state === 'open' && before === 'connecting' && greeting) message(greeting)
    if (state === 'open' && before === 'lost') message('Reconnected; no events were missed')
    before = state
  }
}
