import type { Position } from '../calls/call.ts'
import { createSpeaker, type Piece } from './speakable.ts'

interface StepOfText {
  n: number
  attempt: number
}

export type Answers = ReturnType<typeof createAnswers>

/** Speaks the answers of one run sentence by sentence, and never speaks a text twice. */
export function createAnswers(start: Position, speak: (text: string) => void) {
  const speaker = createSpeaker()
  const position = createSpokenPosition(start)
  let step: StepOfText | null = null
  /** The text of the step that was spoken, and the part of it that another attempt may repeat. */
  let spoken = ''
  let repeated = ''
  let unspoken = ''
  /** The step and the last of its attempts whose remaining text is not spoken. */
  let muted: { n: number; attempt: number } | null = null

  function say(pieces: readonly Piece[]): void {
    for (const { text, characters } of pieces) {
      position.take(characters)
      spoken += unspoken.slice(0, characters)
      unspoken = unspoken.slice(characters)
      speak(text)
    }
  }

  function drop(): void {
    speaker.reset()
    position.takeAll()
    unspoken = ''
  }

  /** Removes the beginning that was already spoken: a repeated attempt often has the same words. */
  function withoutRepeated(text: string): string {
    let same = 0
    while (same < text.length && same < repeated.length && text[same] === repeated[same]) same += 1
    repeated = same === text.length ? repeated.slice(same) : ''
    return text.slice(same)
  }

  return {
    /** The step whose text was spoken last. */
    step: () => step?.n ?? null,
    position: position.at,
    /** Skips an event without text. */
    pass: (seq: number) => void position.add(seq, 0),
    begin(next: StepOfText): void {
      const isRepeated = step?.n === next.n
      drop()
      repeated = isRepeated ? spoken : ''
      spoken = repeated
      step = next
    },
    /** Accounts for text that an earlier connection of the call has spoken. */
    recall({ n, attempt, text }: StepOfText & { text: string }): void {
      if (step?.n !== n || step.attempt !== attempt) this.begin({ n, attempt })
      spoken += withoutRepeated(text)
    },
    add(seq: number, { n, attempt, text }: StepOfText & { text: string }): void {
      if (step?.n !== n || step.attempt !== attempt) this.begin({ n, attempt })
      const alreadySpoken = position.add(seq, text.length)
      if (muted && muted.n === n && attempt <= muted.attempt) {
        drop()
        return
      }
      const [before, after] = [text.slice(0, alreadySpoken), text.slice(alreadySpoken)]
      spoken += withoutRepeated(before)
      const newText = withoutRepeated(after)
      position.take(after.length - newText.length)
      unspoken += newText
      say(speaker.add(newText))
    },
    /** Speaks complete words before the end of their sentence. */
    takeWords: () => say(speaker.takeWords()),
    /** Speaks all text that has arrived. */
    takeStalled: () => say(speaker.takeStalled()),
    isWaiting: () => speaker.hasPending(),
    /** Speaks the remaining text of a complete answer. */
    end: () => say(speaker.end()),
    /** Discards text that has arrived and was not spoken. */
    drop,
    /** The caller interrupted: the rest of the step is not spoken. */
    mute(): void {
      muted = step && { n: step.n, attempt: Number.POSITIVE_INFINITY }
      drop()
    },
    /** The caller spoke: the rest of the attempt is not spoken, and the next attempt answers the caller. */
    renew(): void {
      muted = step
      spoken = ''
      repeated = ''
      drop()
    },
  }
}

/** Counts the spoken text of the events of a run, so that another connection continues at the same position. */
function createSpokenPosition({ runId, seq, offset }: Position) {
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
