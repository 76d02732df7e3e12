import type { Items } from './items.ts'
import { isEmpty, mergeWrites, prune, type Write } from './write.ts'

const STEPS_MAX = 200
/** Steps of one kind within this time are merged: typing, or moving by arrow keys. */
const MERGE_WINDOW_MS = 1500

export interface Step {
  redo: Write
  undo: Write
  /** Consecutive steps of the same kind are merged. */
  kind?: string
  at: number
}

/** The undo stack of the local user. It never reverts changes of other users. */
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
    /** Removes a step that the server rejected. */
    discard(write: Write) {
      done = done.filter(({ redo }) => redo !== write)
    },
    canUndo: () => done.length > 0,
    canRedo: () => undone.length > 0,
    /** The write that reverts the last step, without items that no longer exist. Skips steps that are empty then. */
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
