import { Button } from '../../../components/button.tsx'
import type { Connection } from '../../../live/follow.ts'

interface LiveSwitchProps {
  isOn: boolean
  connection: Connection
  onToggle: () => void
}

const LABELS: Record<Connection, string> = {
  connecting: 'Connecting',
  open: 'Live',
  lost: 'Reconnecting',
  ended: 'Stopped',
}

/** Turns live updates on and off, and shows the state of the connection. */
export function LiveSwitch({ isOn, connection, onToggle }: LiveSwitchProps) {
  const isLive = isOn && connection === 'open'
  return (
    <Button
      size="small"
      aria-pressed={isOn}
      title={isOn ? 'Pause live updates' : 'Resume live updates'}
      onClick={onToggle}
    >
      <span
        aria-hidden
        className={`size-8 rounded-round ${isLive ? 'bg-good-text' : isOn ? 'bg-warning-text' : 'bg-neutral-9'}`}
      />
      {isOn ? LABELS[connection] : 'Paused'}
    </Button>
  )
}
