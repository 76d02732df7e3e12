import { Readable } from 'node:stream'
import type { LiveEvents } from '../../contract/canvas/live.ts'
import { eventOf, HEARTBEAT } from './live-events.ts'

/** Whoever reads so slowly that this much waits for them is hung up on; they go on where they were. */
const WAITING_BYTES_MAX = 1_048_576
/** Whoever does not read that a stream has ended is hung up on as well. */
const FAREWELL_MS = 10_000

export type Reader = ReturnType<typeof createReader>

/** One open stream of events. `onClose` is called once, however it comes to its end. */
export function createReader(onClose: () => void) {
  let isOpen = true
  let onRoom = () => {}
  let farewell: NodeJS.Timeout | undefined
  const content = new Readable({ read: () => onRoom() })
  const close = () => {
    if (!isOpen) return
    isOpen = false
    onRoom()
    onClose()
  }
  content.once('close', () => {
    clearTimeout(farewell)
    close()
  })
  const hangUp = () => {
    content.destroy()
    close()
  }
  const send = (event: Buffer) => {
    if (isOpen) content.push(event)
  }

  return {
    content,
    isOpen: () => isOpen,
    send,
    beat: () => send(HEARTBEAT),
    hangUp,
    /** When what was sent is on its way, or nobody reads any more. */
    async drained(): Promise<void> {
      if (!isOpen || content.readableLength < content.readableHighWaterMark) return
      await new Promise<void>((resolve) => {
        onRoom = resolve
      })
    },
    /** Hangs up on a reader who is too slow; tells whether it did. */
    dropIfSlow(): boolean {
      if (content.readableLength <= WAITING_BYTES_MAX) return false
      hangUp()
      return true
    },
    end(reason: LiveEvents['ended']['reason']): void {
      if (!isOpen) return
      send(eventOf('ended', { reason }))
      content.push(null)
      farewell = setTimeout(() => content.destroy(), FAREWELL_MS).unref()
      close()
    },
  }
}
