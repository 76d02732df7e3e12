import { createSpeaker, type Piece } from '../../../language-models/audio/speakable.ts'
import type { Position } from '../calls/call.ts'

interface StepOfText {
  n: number
  attempt: number
}

export type Answers = ReturnType<typeof createAnswers>

/** Speaks one run sentence by sentence, and nothing twice. */
export function createAnswers(start: Position, speak: (text: string) => void) {
  const speaker = createSpeaker()
  const position = createSpokenPosition(start)
  let step: StepOfText | null = null
  /** The step's spoken text, and the part that another attempt may repeat. */
  let spoken = ''
  let repeated = ''
  let unspoken = ''
  /** Stays silent for this step up to this attempt. */
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

  /** A repeated attempt often has the same words. */
  function withoutRepeated(text: string): string {
    let same = 0
    while (same < text.length && same < repeated.length && text[same] === repeated[same]) same += 1
    repeated = same === text.length ? repeated.slice(same) : ''
    return text.slice(same)
  }

  return {
    step: () => step?.n ?? null,
    position: position.at,
    pass: (seq: number) => void position.add(seq, 0),
    begin(next: StepOfText): void {
      const isRepeated = step?.n === next.n
      drop()
      repeated = isRepeated ? spoken : ''
      spoken = repeated
      step = next
    },
    /** Accounts for text that an earlier connection spoke. */
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
    takeWords: () => say(speaker.takeWords()),
    takeStalled: () => say(speaker.takeStalled()),
    isWaiting: () => speaker.hasPending(),
    end: () => say(speaker.end()),
    drop,
    /** The caller interrupted, so the step's rest is dropped. */
    mute(): void {
      muted = step && { n: step.n, attempt: Number.POSITIVE_INFINITY }
      drop()
    },
    /** The caller spoke: drops the attempt's rest, and the next attempt answers. */
    renew(): void {
      muted = step
      spoken = ''
      repeated = ''
      drop()
    },
  }
}

/** Lets another connection continue at the same position. */
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
    /** Returns how many characters an earlier connection has spoken. */
    add(seq: number, length: number): number {
      const alreadySpoken = pendingEvents.length === 0 ? Math.min(spokenOffset, length) : 0
      pendingEvents.push({ seq, length, unspoken: length - alreadySpoken })
      advance()
      return alreadySpoken
    },
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
    takeAll(): void {
      for (const event of pendingEvents) event.unspoken = 0
      advance()
    },
    at: (): Position => ({ runId, seq: spokenSeq, offset: spokenOffset }),
  }
}
