import { createStore } from '../../../state/store.ts'
import type { Answer, Canvas, Change } from './items.ts'
import { createLayers } from './optimistic-store.ts'
import { createOutbox } from './outbox.ts'
import { createUndo } from './undo.ts'
import { complete, inverseOf, isEmpty, pruned, split, type Wanted, type Write, writeOf } from './write.ts'

interface Surroundings {
  projectId: string
  canvas: Pick<Canvas, 'items' | 'edges' | 'seq'>
  send: (write: Write, idempotencyKey: string) => Promise<Answer>
  read: () => Promise<Pick<Canvas, 'items' | 'edges' | 'seq'>>
  /** Says what the server refused. */
  tell: (error: unknown) => void
  wait?: (tries: number) => Promise<void>
}

/** One open canvas, outside of React: what is on it, what is on its way to the server, and the way back. */
export function createCanvasStore({ projectId, canvas, send, read, tell, wait }: Surroundings) {
  const layers = createLayers(projectId, canvas)
  const steps = createUndo()
  /** Which of undo and redo there is something for. */
  const ways = createStore({ undo: false, redo: false })
  /** What is heard while the canvas is being read, which may be older. */
  let backlog: Change[] | undefined
  let loading: Promise<unknown> = Promise.resolve()
  const load = () => {
    const loaded = loading.then(readAnew, readAnew)
    loading = loaded
    return loaded
  }
  async function readAnew() {
    const late: Change[] = []
    backlog = late
    try {
      layers.load(await read())
    } finally {
      backlog = undefined
      layers.hear(late)
    }
  }
  const outbox = createOutbox({
    layers,
    send,
    reload: load,
    wait,
    onRefused(refused, error) {
      for (const { write } of refused) steps.forget(write)
      showWays()
      tell(error)
    },
  })

  function showWays() {
    const next = { undo: steps.canUndo(), redo: steps.canRedo() }
    const now = ways.get()
    if (next.undo !== now.undo || next.redo !== now.redo) ways.set(next)
  }

  function enter(write: Write) {
    for (const part of split(write)) layers.add(part)
    outbox.run()
    showWays()
  }

  return {
    projectId,
    items: layers.shown,
    isSaved: layers.isSaved,
    watch: layers.watch,
    seq: layers.seq,
    saving: outbox.saving,
    wake: outbox.wake,
    ways,
    /** Returns what looks different now. */
    hear(changes: readonly Change[]): ReadonlySet<string> {
      if (!backlog) return layers.hear(changes)
      backlog.push(...changes)
      return new Set()
    },
    /** Reads all of it anew: too much has happened to be told one by one. */
    load,

    /** Shows a change at once and sends it. Steps of the same `kind` that follow closely are undone together. */
    change(wanted: Wanted, kind?: string) {
      const write = complete(pruned(writeOf(wanted), layers.shown), layers.shown)
      if (isEmpty(write)) return
      steps.note(write, inverseOf(write, layers.shown), kind)
      enter(write)
    },
    undo: () => go(steps.undo(layers.shown)),
    redo: () => go(steps.redo(layers.shown)),
  }

  /** False if there was nothing to go to. */
  function go(write: Write | undefined): boolean {
    if (write) enter(complete(write, layers.shown))
    else showWays()
    return write !== undefined
  }
}

export type CanvasStore = ReturnType<typeof createCanvasStore>
