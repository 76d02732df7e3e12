import { style, tell } from '../../terminal.ts'

type State = 'connected' | 'lost'

/** Says when a stream begins, when it is lost and when it is back; that it ends and begins by itself is nobody's concern. */
export function onStateOf(greeting: string): (state: State) => void {
  let before: State | null = null
  return (state) => {
    if (state === 'lost' && before !== 'lost')
      tell(style('yellow', 'The connection was lost: connecting again …'))
    if (state === 'connected' && before !== 'connected')
      tell(before === null ? greeting : 'Connected again; nothing was missed')
    before = state
  }
}
