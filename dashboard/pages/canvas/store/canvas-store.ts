import { createStore } from '../../../state/store.ts'
import type { Canvas, Change, WriteResult } from './items.ts'
import { createOptimisticStore } from './optimistic-store.ts'
import { createOutbox } from './outbox.ts'
import { createUndoStack } from './undo.ts'
import {
  invertWrite,
  isEmpty,
  prune,
  split,
  toWrite,
  type Write,
  type WriteInput,
  withCascades,
} from './write.ts'

interface CanvasStoreOptions {
  projectId: string
  canvas: Pick<Canvas, 'items' | 'edges' | 'seq'>
  send: (write: Write, idempotencyKey: string) => Promise<WriteResult>
  read: () => Promise<Pick<Canvas, 'items' | 'edges' | 'seq'>>
  onRejected: (error: unknown) => void
  wait?: (attempts: number) => Promise<void>
}

/** Optimistic writes and undo, outside React. */
export function createCanvasStore({ projectId, canvas, send, read, onRejected, wait }: CanvasStoreOptions) {
  const optimistic = createOptimisticStore(projectId, canvas)
  const steps = createUndoStack()
  const undoState = createStore({ undo: false, redo: false })
  /** Remote changes received during a reload; its response may be older. */
  let backlog: Change[] | undefined
  let loading: Promise<unknown> = Promise.resolve()
  const load = () => {
    const loaded = loading.then(readCanvas, readCanvas)
    loading = loaded
    return loaded
  }
  async function readCanvas() {
    const lateChanges: Change[] = []
    backlog = lateChanges
    try {
      optimistic.load(await read())
    } finally {
      backlog = undefined
      optimistic.applyRemote(lateChanges)
    }
  }
  const outbox = createOutbox({
    optimistic,
    send,
    reload: load,
    wait,
    onRejected(rejected, error) {
      for (const { write } of rejected) steps.discard(write)
      updateUndoState()
      onRejected(error)
    },
  })

  async function whenSaved(): Promise<void> {
    if (optimistic.pending().length === 0) return
    await new Promise<void>((resolve) => {
      const unsubscribe = outbox.saving.subscribe(() => {
        if (outbox.saving.get() !== 'saved') return
        unsubscribe()
        resolve()
      })
    })
  }

  function updateUndoState() {
    const next = { undo: steps.canUndo(), redo: steps.canRedo() }
    const current = undoState.get()
    if (next.undo !== current.undo || next.redo !== current.redo) undoState.set(next)
  }

  function apply(write: Write) {
    for (const part of split(write)) optimistic.add(part)
    outbox.run()
    updateUndoState()
  }

  return {
    projectId,
    items: optimistic.visible,
    isSaved: optimistic.isSaved,
    watch: optimistic.watch,
    seq: optimistic.seq,
    saving: outbox.saving,
    whenSaved,
    retryNow: outbox.retryNow,
    undoState,
    /** Returns the ids that changed visibly. */
    applyRemote(changes: readonly Change[]): ReadonlySet<string> {
      if (!backlog) return optimistic.applyRemote(changes)
      backlog.push(...changes)
      return new Set()
    },
    /** Called after the stream reports a gap. */
    load,

    /** Applies optimistically, then sends. Consecutive changes with the same `kind` form one undo step. */
    change(input: WriteInput, kind?: string) {
      const write = withCascades(prune(toWrite(input), optimistic.visible), optimistic.visible)
      if (isEmpty(write)) return
      steps.record(write, invertWrite(write, optimistic.visible), kind)
      apply(write)
    },
    undo: () => applyStep(steps.undo(optimistic.visible)),
    redo: () => applyStep(steps.redo(optimistic.visible)),
  }

  /** Returns false if there is nothing to undo or redo. */
  function applyStep(write: Write | undefined): boolean {
    if (write) apply(withCascades(write, optimistic.visible))
    else updateUndoState()
    return write !== undefined
  }
}

export type CanvasStore = ReturnType<typeof createCanvasStore>
