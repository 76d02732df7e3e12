import type { StreamState } from '../../../client/event-stream.ts'
import { style, tell } from '../../terminal.ts'

/** Prints when a stream opens, when its connection is lost and when it is back; orderly reconnects stay silent. */
export function onStateOf(greeting: string): (state: StreamState) => void {
  let before: StreamState = 'connecting'
  return (state) => {
    if (state === 'lost' && before !== 'lost')
      tell(style('yellow', 'The connection was lost: connecting again …'))
    if (state === 'open' && before === 'connecting') tell(greeting)
    if (state === 'open' && before === 'lost') tell('Connected again; nothing was missed')
    before = state
  }
}
