import type { RunEvent } from '../../../../../contract/agents/run-events.ts'
import type { AppendResult } from '../state/lease.ts'
import { createTextJoiner } from '../state/storable.ts'

/** Between writes. */
const PAUSE_MS = 50
/** Parts of a word that arrive together are written together. */
const GATHER_MS = 10
const FLUSH_CHARACTERS = 2048
/** Renews the lease and checks for cancellation without output. */
const HEARTBEAT_MS = 1000

type Kind = 'text' | 'reasoning'

interface DeltaWriterOptions {
  step: { n: number; attempt: number }
  append: (events: RunEvent[]) => Promise<AppendResult>
  onStop: (reason: unknown) => void
}

export const CANCELED = Symbol('canceled')

/** In small batches and in order. */
export function createDeltaWriter({ step, append, onStop }: DeltaWriterOptions) {
  const joiners = { text: createTextJoiner(), reasoning: createTextJoiner() }
  let pending: { kind: Kind; text: string }[] = []
  let size = 0
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined
  let isStopped = false
  let wroteAt = Number.NEGATIVE_INFINITY
  const heartbeat = setInterval(() => void write(), HEARTBEAT_MS)

  function stop(reason: unknown): void {
    if (isStopped) return
    isStopped = true
    onStop(reason)
  }

  function addPending(kind: Kind, text: string): void {
    if (text === '') return
    const last = pending.at(-1)
    if (last?.kind === kind) last.text += text
    else pending.push({ kind, text })
    size += text.length
  }

  /** One write at a time. Text that arrives meanwhile goes into the next. */
  function write(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    writing ??= writeBatch().finally(() => {
      writing = undefined
      if (size >= FLUSH_CHARACTERS) void write()
      else if (size > 0) schedule()
    })
    return writing
  }

  async function writeBatch(): Promise<void> {
    if (isStopped) return
    wroteAt = performance.now()
    try {
      if ((await append(takePending())).isCancelRequested) stop(CANCELED)
    } catch (error) {
      stop(error)
    }
  }

  function takePending(): RunEvent[] {
    const events = pending.map(({ kind, text }): RunEvent => ({ type: kind, data: { ...step, text } }))
    pending = []
    size = 0
    return events
  }

  function finishText(): void {
    clearInterval(heartbeat)
    for (const kind of ['reasoning', 'text'] as const) addPending(kind, joiners[kind].end())
  }

  function schedule(): void {
    const pauseMs = wroteAt + PAUSE_MS - performance.now()
    timer ??= setTimeout(() => void write(), Math.max(GATHER_MS, pauseMs))
  }

  return {
    add(kind: Kind, delta: string): void {
      addPending(kind, joiners[kind].add(delta))
      if (size >= FLUSH_CHARACTERS) void write()
      else if (size > 0) schedule()
    },
    async end(): Promise<void> {
      finishText()
      while (writing || (size > 0 && !isStopped)) await write()
      clearTimeout(timer)
    },
    /** Returns unstored events instead of storing them. */
    async take(): Promise<RunEvent[]> {
      finishText()
      if (writing) await writing
      clearTimeout(timer)
      return takePending()
    },
    stop(): void {
      isStopped = true
      clearInterval(heartbeat)
      clearTimeout(timer)
    },
  }
}
