import type { StreamState } from '../client/event-stream.ts'
import { printMessage, style } from './terminal.ts'

interface ReportOptions {
  /** Shown when the stream opens. */
  greeting?: string
  message?: (line: string) => void
}

/** Reports when a stream opens, breaks and reconnects; scheduled reconnects are silent. */
export function reportConnection({
  greeting,
  message = printMessage,
}: ReportOptions = {}): (state: StreamState) => void {
  let previous: StreamState = 'connecting'
  return (state) => {
    if (state === 'lost' && previous !== 'lost') message(style('yellow', 'Connection lost. Reconnecting…'))
    if (state === 'open' && previous === 'connecting' && greeting) message(greeting)
    if (state === 'open' && previous === 'lost') message('Reconnected; no events were missed')
    previous = state
  }
}
