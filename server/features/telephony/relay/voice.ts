import type { OutgoingFrame } from './relay-frames.ts'

const MS_PER_CHARACTER = 65

export type Voice = ReturnType<typeof createVoice>

/** Estimates the speaking time, because the carrier doesn't report the end. */
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
    /** More follows. */
    speak(text: string): void {
      if (text === '') return
      isOpen = true
      extend(text)
      send({ type: 'text', token: text, last: false })
    },
    endAnswer,
    say(text: string, options: { interruptible?: boolean; preemptible?: boolean } = {}): void {
      endAnswer()
      extend(text)
      send({ type: 'text', token: text, last: true, ...options })
    },
    /** For text that the carrier speaks by itself. */
    countSpoken: extend,
    /** The carrier has dropped the rest. */
    stop(): void {
      isOpen = false
      until = now()
    },
    isSpeaking: () => isOpen,
    until: () => until,
  }
}
