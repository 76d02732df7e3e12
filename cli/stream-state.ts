import type { StreamState } from '../client/event-stream.ts'
import { printMessage, style } from './terminal.ts'

/** Reports when a stream opens, breaks and reconnects; scheduled reconnects are silent. */
export function reportConnection(greeting?: string): (state: StreamState) => void {
  let before: StreamState = 'connecting'
  return (state) => {
    if (state === 'lost' && before !== 'lost') printMessage(style('yellow', 'Connection lost. Reconnecting…'))
    if (state === 'open' && before === 'connecting' && greeting) printMessage(greeting)
    if (state === 'open' && before === 'lost') printMessage('Reconnected; no events were missed')
    before = state
  }
}
