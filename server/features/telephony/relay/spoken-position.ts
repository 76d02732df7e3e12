import type { Position } from './relay-state.ts'

/** Counts the spoken text of the events of a run, so that another connection continues at the same position. */
export function createSpokenPosition({ runId, seq, offset }: Position) {
  const waiting: { seq: number; length: number; left: number }[] = []
  let spokenSeq = seq
  let spokenOffset = offset

  function settle(): void {
    while (waiting[0]?.left === 0) {
      spokenSeq = waiting.shift()!.seq
      spokenOffset = 0
    }
    if (waiting[0]) spokenOffset = waiting[0].length - waiting[0].left
  }

  return {
    /** Adds an event with `length` characters to speak. Returns how many of them an earlier connection has spoken. */
    add(seq: number, length: number): number {
      const done = waiting.length === 0 ? Math.min(spokenOffset, length) : 0
      waiting.push({ seq, length, left: length - done })
      settle()
      return done
    },
    /** The next characters were spoken, or are skipped. */
    take(characters: number): void {
      let rest = characters
      for (const event of waiting) {
        const taken = Math.min(event.left, rest)
        event.left -= taken
        rest -= taken
        if (rest === 0) break
      }
      settle()
    },
    /** All text that has arrived is skipped. */
    takeAll(): void {
      for (const event of waiting) event.left = 0
      settle()
    },
    at: (): Position => ({ runId, seq: spokenSeq, offset: spokenOffset }),
  }
}
