import { useEffect, useEffectEvent, useState } from 'react'
import type { RunEvent } from '../../../../contract/agents/run-events.ts'
import { refreshRun } from '../../../api/runs.ts'
import { follow } from '../../../live/follow.ts'
import { throttled } from '../../../state/timers.ts'

const FLUSH_MS = 120
const REFRESH_MS = 800

/** Refetches the run after its events. Returns the texts being written, by `step.attempt`. */
export function useRunStream(id: string, isOn: boolean): Record<string, string> {
  const [texts, setTexts] = useState<Record<string, string>>({})
  const show = useEffectEvent((written: ReadonlyMap<string, string>) => setTexts(Object.fromEntries(written)))
  useEffect(() => {
    if (!isOn) return
    const written = new Map<string, string>()
    const flush = throttled(FLUSH_MS, () => show(written))
    const refresh = throttled(REFRESH_MS, () => void refreshRun(id))
    const following = follow<{ name: string; id?: string; data: never }>({
      open: (signal, lastEventId) =>
        fetch(`/api/v1/runs/${id}/stream`, {
          headers: { accept: 'text/event-stream', ...(lastEventId && { 'last-event-id': lastEventId }) },
          signal,
        }),
      onEvent: ({ name, data }) => {
        const event = { type: name, data } as RunEvent
        if (event.type === 'text') {
          const key = `${event.data.n}.${event.data.attempt}`
          written.set(key, (written.get(key) ?? '') + event.data.text)
          flush.run()
        } else refresh.run()
        if (event.type === 'run.finished') following.stop()
      },
      onConnection: () => {},
    })
    window.addEventListener('online', following.retryNow)
    window.addEventListener('offline', following.disconnect)
    return () => {
      following.stop()
      flush.stop()
      window.removeEventListener('online', following.retryNow)
      window.removeEventListener('offline', following.disconnect)
    }
  }, [id, isOn])
  return texts
}
