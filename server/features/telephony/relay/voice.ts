import type { OutgoingFrame } from './relay-frames.ts'

/** The approximate time that a voice takes per character. */
const MS_PER_CHARACTER = 65

export type Voice = ReturnType<typeof createVoice>

/** Speaks to the caller, and estimates how long that takes: the carrier does not report the end. */
export function createVoice(send: (frame: OutgoingFrame) => void, now: () => number) {
  let until = now()
  let isOpen = false

  const extend = (text: string) => {
    until = Math.max(until, now()) + text.length * MS_PER_CHARACTER
  }

  function endAnswer(): void {
    if (!isOpen) return
    isOpen = false
    send({ type: 'text', token: '', last: true })
  }

  return {
    /** A part of an answer; more follows. */
    speak(text: string): void {
      if (text === '') return
      isOpen = true
      extend(text)
      send({ type: 'text', token: text, last: false })
    },
    endAnswer,
    /** A whole sentence. */
    say(text: string, options: { interruptible?: boolean; preemptible?: boolean } = {}): void {
      endAnswer()
      extend(text)
      send({ type: 'text', token: text, last: true, ...options })
    },
    /** Accounts for text that the carrier speaks without a message of the server. */
    countSpoken: extend,
    /** The caller interrupted: the carrier has dropped the rest. */
    stop(): void {
      isOpen = false
      until = now()
    },
    /** Whether a part of an answer was spoken, but not its end. */
    isSpeaking: () => isOpen,
    /** The approximate time at which everything is spoken. */
    until: () => until,
  }
}
