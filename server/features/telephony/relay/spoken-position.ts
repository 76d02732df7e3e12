import type { Position } from './relay-state.ts'

/** Counts the spoken text of the events of a run, so that another connection continues at the same position. */
export function createSpokenPosition({ runId, seq, offset }: Position) {
  const pendingEvents: { seq: number; length: number; unspoken: number }[] = []
  let spokenSeq = seq
  let spokenOffset = offset

  function advance(): void {
    while (pendingEvents[0]?.unspoken === 0) {
      spokenSeq = pendingEvents.shift()!.seq
      spokenOffset = 0
    }
    if (pendingEvents[0]) spokenOffset = pendingEvents[0].length - pendingEvents[0].unspoken
  }

  return {
    /** Adds an event with `length` characters to speak. Returns how many of them an earlier connection has spoken. */
    add(seq: number, length: number): number {
      const alreadySpoken = pendingEvents.length === 0 ? Math.min(spokenOffset, length) : 0
      pendingEvents.push({ seq, length, unspoken: length - alreadySpoken })
      advance()
      return alreadySpoken
    },
    /** The next characters were spoken, or are skipped. */
    take(characters: number): void {
      let remaining = characters
      for (const event of pendingEvents) {
        const spoken = Math.min(event.unspoken, remaining)
        event.unspoken -= spoken
        remaining -= spoken
        if (remaining === 0) break
      }
      advance()
    },
    /** All text that has arrived is skipped. */
    takeAll(): void {
      for (const event of pendingEvents) event.unspoken = 0
      advance()
    },
    at: (): Position => ({ runId, seq: spokenSeq, offset: spokenOffset }),
  }
}
