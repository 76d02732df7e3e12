import type { Items } from './items.ts'
import { isEmpty, mergeWrites, prune, type Write } from './write.ts'

const STEPS_MAX = 200
/** Merges steps of one kind, such as typing or arrow-key moves. */
const MERGE_WINDOW_MS = 1500

export interface Step {
  redo: Write
  undo: Write
  kind?: string
  at: number
}

/** Never reverts other users' changes. */
export function createUndoStack(now: () => number = Date.now) {
  let done: Step[] = []
  let undone: Step[] = []

  return {
    record(redo: Write, undo: Write, kind?: string): Step {
      undone = []
      const last = done.at(-1)
      const step = { redo, undo, kind, at: now() }
      const isMergeable =
        last && kind !== undefined && last.kind === kind && step.at - last.at < MERGE_WINDOW_MS
      const merged = isMergeable && mergeSteps(last, step)
      if (merged) done[done.length - 1] = merged
      else done = [...done, step].slice(-STEPS_MAX)
      return merged || step
    },
    discard(write: Write) {
      done = done.filter(({ redo }) => redo !== write)
    },
    canUndo: () => done.length > 0,
    canRedo: () => undone.length > 0,
    /** Omits items that no longer exist and skips steps left empty. */
    undo: (items: Items): Write | undefined =>
      popStep(done, items, 'undo', (step) => {
        undone = [...undone, step]
      }),
    redo: (items: Items): Write | undefined =>
      popStep(undone, items, 'redo', (step) => {
        done = [...done, step]
      }),
  }
}

function popStep(from: Step[], items: Items, direction: 'redo' | 'undo', onPopped: (step: Step) => void) {
  for (let step = from.pop(); step; step = from.pop()) {
    const write = prune(step[direction], items)
    if (isEmpty(write)) continue
    onPopped(step)
    return write
  }
  return undefined
}

function mergeSteps(last: Step, step: Step): Step | undefined {
  const redo = mergeWrites(last.redo, step.redo)
  const undo = mergeWrites(step.undo, last.undo)
  return redo && undo && { redo, undo, kind: step.kind, at: step.at }
}
