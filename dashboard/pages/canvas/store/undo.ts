import type { Items } from './items.ts'
import { followed } from './merge-writes.ts'
import { isEmpty, pruned, type Write } from './write.ts'

const STEPS_MAX = 200
/** So close together, small steps of one kind are one: typing, or moving by arrow keys. */
const ONE_STEP_MS = 1500

export interface Step {
  forth: Write
  back: Write
  /** Steps of the same kind that follow one another closely become one. */
  kind?: string
  at: number
}

/** Our own steps, and the way back through them. What others did meanwhile stays. */
export function createUndo(now: () => number = Date.now) {
  let done: Step[] = []
  let undone: Step[] = []

  return {
    note(forth: Write, back: Write, kind?: string): Step {
      undone = []
      const last = done.at(-1)
      const step = { forth, back, kind, at: now() }
      const both = last && kind !== undefined && last.kind === kind && step.at - last.at < ONE_STEP_MS
      const joined = both && together(last, step)
      if (joined) done[done.length - 1] = joined
      else done = [...done, step].slice(-STEPS_MAX)
      return joined || step
    },
    /** A step that the server refused never was. */
    forget(write: Write) {
      done = done.filter(({ forth }) => forth !== write)
    },
    canUndo: () => done.length > 0,
    canRedo: () => undone.length > 0,
    /** What takes the last step back that still can be, as far as it can be. */
    undo: (items: Items): Write | undefined =>
      take(done, items, 'back', (step) => {
        undone = [...undone, step]
      }),
    redo: (items: Items): Write | undefined =>
      take(undone, items, 'forth', (step) => {
        done = [...done, step]
      }),
  }
}

function take(from: Step[], items: Items, way: 'forth' | 'back', moved: (step: Step) => void) {
  for (let step = from.pop(); step; step = from.pop()) {
    const write = pruned(step[way], items)
    if (isEmpty(write)) continue
    moved(step)
    return write
  }
  return undefined
}

function together(last: Step, step: Step): Step | undefined {
  const forth = followed(last.forth, step.forth)
  const back = followed(step.back, last.back)
  return forth && back && { forth, back, kind: step.kind, at: step.at }
}
