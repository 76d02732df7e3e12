import type { LiveEvents } from '../../../../contract/canvas/live.ts'

/** One event of the canvas stream. */
export type LiveEvent = {
  [Name in keyof LiveEvents]: { name: Name; data: LiveEvents[Name] }
}[keyof LiveEvents]
