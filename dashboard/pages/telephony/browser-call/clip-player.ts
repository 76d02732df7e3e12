interface Clip {
  clip: number
  text: string
  /** Null if there is none to play. */
  audio: ArrayBuffer | null
}

interface Playing {
  clip: Clip
  source: AudioBufferSourceNode | null
  startedAt: number
}

interface PlayerEvents {
  onPlaying: (clip: Clip) => void
  onPlayed: (clip: number) => void
  /** The clip is passed over. */
  onUnplayable: () => void
}

/** Plays clips one after the other. */
export function createClipPlayer(context: AudioContext, { onPlaying, onPlayed, onUnplayable }: PlayerEvents) {
  let queue: Clip[] = []
  let current: Playing | null = null
  let isHeld = false
  let stoppedClip = 0

  async function playNext(): Promise<void> {
    if (current !== null || isHeld) return
    const clip = queue.shift()
    if (!clip) return
    const playing: Playing = { clip, source: null, startedAt: 0 }
    current = playing
    const buffer = clip.audio && (await context.decodeAudioData(clip.audio).catch(() => null))
    if (current !== playing) return
    onPlaying(clip)
    if (!buffer) {
      if (clip.audio) onUnplayable()
      return finish(playing)
    }
    const source = context.createBufferSource()
    source.buffer = buffer
    source.connect(context.destination)
    source.onended = () => finish(playing)
    playing.source = source
    playing.startedAt = context.currentTime
    source.start()
  }

  function finish(playing: Playing): void {
    if (current !== playing) return
    current = null
    onPlayed(playing.clip.clip)
    void playNext()
  }

  function drop(): void {
    current?.source?.stop()
    current = null
    queue = []
  }

  return {
    add(clip: Clip): void {
      if (clip.clip <= stoppedClip) return
      queue.push(clip)
      void playNext()
    },
    isPlaying: () => current !== null,
    /** The member speaks. Returns how much of which clip was heard. */
    interrupt(): { clip: number; part: number } | null {
      isHeld = true
      if (current === null) return null
      const { clip, source, startedAt } = current
      const duration = source?.buffer?.duration ?? 0
      const part = duration > 0 ? Math.min(1, (context.currentTime - startedAt) / duration) : 0
      drop()
      return { clip: clip.clip, part }
    },
    /** The member has spoken. */
    resume(): void {
      isHeld = false
      void playNext()
    },
    /** Clips up to this one are not played any more. */
    stop(clip: number): void {
      stoppedClip = Math.max(stoppedClip, clip)
      queue = queue.filter((waiting) => waiting.clip > clip)
      if (current === null || current.clip.clip > clip) return
      const rest = queue
      drop()
      queue = rest
      void playNext()
    },
    /** A new connection counts from one. */
    restart(): void {
      drop()
      stoppedClip = 0
      isHeld = false
    },
  }
}
