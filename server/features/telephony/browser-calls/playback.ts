import type { OutgoingFrame } from './frames.ts'

const MS_PER_CHARACTER = 65
/** A client that doesn't report a clip as played within twice its estimated length has played it. */
const SLOWNESS_MAX = 2
const LATENCY_MS = 5000
/** Clips that wait in the browser. Unheard speech costs too. */
const CLIPS_AHEAD_MAX = 2
/** Sentences that wait are spoken together up to this length. */
const CLIP_CHARACTERS_MAX = 300

interface Piece {
  text: string
  /** Of the agent's answer; null for the server's own sentences. */
  answer: number | null
}

interface Clip extends Piece {
  clip: number
  playedBy: number
  isPlayed: boolean
}

interface PlaybackOptions {
  now: () => number
  send: (message: OutgoingFrame | Uint8Array) => void
  onSpeaking: () => void
  /** MP3, or null if it failed, which was reported. */
  synthesize: (text: string, signal: AbortSignal) => Promise<Uint8Array | null>
  onFailed: (error: unknown) => void
}

/** Speaks an answer clip by clip while it's written, a little ahead of what the member hears. */
export function createPlayback({ now, send, onSpeaking, synthesize, onFailed }: PlaybackOptions) {
  let waiting: Piece[] = []
  let clips: Clip[] = []
  let lastClip = 0
  let answer = 0
  let isOpen = false
  let playedAt = now()
  let speaking: AbortController | null = null
  let isClosed = false

  const add = (piece: Piece) => {
    if (piece.text.trim() === '' || isClosed) return
    waiting.push(piece)
    pump()
  }

  function pump(): void {
    if (speaking !== null || isClosed || waiting.length === 0) return
    if (unplayed().length >= CLIPS_AHEAD_MAX) return
    const abort = new AbortController()
    speaking = abort
    void speakNext(abort)
      .catch(onFailed)
      .finally(() => {
        if (speaking !== abort) return
        speaking = null
        pump()
      })
  }

  async function speakNext({ signal }: AbortController): Promise<void> {
    const piece = waiting[0]!
    const text = joined(piece)
    const audio = await synthesize(text, signal)
    if (signal.aborted || isClosed) return
    waiting = waiting.slice(countJoined(piece, text))
    lastClip += 1
    const begin = Math.max(now(), unplayed().at(-1)?.playedBy ?? 0)
    const playedBy = begin + text.length * MS_PER_CHARACTER * SLOWNESS_MAX + LATENCY_MS
    clips.push({ text, answer: piece.answer, clip: lastClip, playedBy, isPlayed: audio === null })
    onSpeaking()
    send({ type: 'clip', clip: lastClip, text: text.trim(), audio: audio !== null })
    if (audio !== null) send(audio)
  }

  /** With the following pieces of the same answer. */
  function joined({ answer: group }: Piece): string {
    let text = ''
    for (const piece of waiting) {
      if (piece.answer !== group || (text !== '' && text.length + piece.text.length > CLIP_CHARACTERS_MAX))
        break
      text += piece.text
    }
    return text
  }

  function countJoined({ answer: group }: Piece, text: string): number {
    let length = 0
    let count = 0
    while (waiting[count]?.answer === group && length < text.length) {
      length += waiting[count]!.text.length
      count += 1
    }
    return count
  }

  function unplayed(): Clip[] {
    for (const clip of clips)
      if (!clip.isPlayed && now() >= clip.playedBy) {
        clip.isPlayed = true
        playedAt = clip.playedBy
      }
    return clips.filter(({ isPlayed }) => !isPlayed)
  }

  /** Nothing that was spoken so far is played from now on. */
  function drop(): void {
    speaking?.abort()
    speaking = null
    waiting = []
    clips = []
    isOpen = false
    playedAt = now()
  }

  return {
    speak(text: string): void {
      if (!isOpen) {
        isOpen = true
        answer += 1
        // An earlier answer's clips no longer matter once they were played.
        clips = unplayed()
      }
      add({ text, answer })
    },
    endAnswer(): void {
      isOpen = false
    },
    say(text: string): void {
      add({ text, answer: null })
    },
    played(clip: number): void {
      for (const known of clips) if (known.clip <= clip) known.isPlayed = true
      playedAt = now()
      pump()
    },
    /**
     * The member speaks. Returns what they heard of the current answer; null if nothing of it was waiting to be heard.
     */
    interrupt(clip: number | null, part: number): string | null {
      const rest = unplayed()
      if (rest.length === 0 && waiting.length === 0) return null
      const isCut = [...rest, ...waiting].some((piece) => piece.answer === answer)
      const heard = clips
        .filter((known) => known.answer === answer && (known.isPlayed || known.clip <= (clip ?? 0)))
        .map((known) => (known.isPlayed || known.clip !== clip ? known.text : beginning(known.text, part)))
        .join('')
        .trim()
      drop()
      return isCut ? heard : null
    },
    lastClip: () => lastClip,
    tick: pump,
    isSpeaking: () => unplayed().length > 0 || waiting.length > 0,
    /** When the last clip was played, or now if one is. */
    until: () => (unplayed().length > 0 || waiting.length > 0 ? now() : playedAt),
    close(): void {
      isClosed = true
      speaking?.abort()
    },
  }
}

/** Whole words. */
function beginning(text: string, part: number): string {
  const words = text.split(/(?<=\s)/)
  return words.slice(0, Math.floor(words.length * part)).join('')
}
