import type { LiveEvents } from '../../../../contract/canvas/live.ts'

/** One thing that the stream of a canvas tells. */
export type LiveEvent = {
  [Name in keyof LiveEvents]: { name: Name; data: LiveEvents[Name] }
}[keyof LiveEvents]
