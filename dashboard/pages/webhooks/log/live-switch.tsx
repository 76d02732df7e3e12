import { Button } from '../../../components/button.tsx'
import type { Connection } from '../../../live/follow.ts'

interface LiveSwitchProps {
  isOn: boolean
  connection: Connection
  onToggle: () => void
}

const WORDS: Record<Connection, string> = {
  connecting: 'Connecting',
  open: 'Live',
  lost: 'Reconnecting',
  ended: 'Stopped',
}

/** Whether new events appear by themselves, and whether that works at the moment. */
export function LiveSwitch({ isOn, connection, onToggle }: LiveSwitchProps) {
  const isLive = isOn && connection === 'open'
  return (
    <Button
      size="small"
      aria-pressed={isOn}
      title={
        isOn ? 'New events appear by themselves. Press to hold the list still.' : 'Press to follow again.'
      }
      onClick={onToggle}
    >
      <span
        aria-hidden
        className={`size-8 rounded-round ${isLive ? 'bg-good-text' : isOn ? 'bg-warning-text' : 'bg-neutral-9'}`}
      />
      {isOn ? WORDS[connection] : 'Paused'}
    </Button>
  )
}
