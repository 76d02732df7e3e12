import { isDone } from '../blocks/block-labels.ts'
import type { CanvasStore } from '../store/canvas-store.ts'

/** Marks tasks as done, or as open if all are done. Returns false if no block is a task. */
export function toggleDone(store: CanvasStore, ids: Iterable<string>): boolean {
  const tasks = [...ids]
    .flatMap((id) => store.items.blocks.get(id) ?? [])
    .filter(({ type, locked }) => type === 'task' && !locked)
  if (tasks.length === 0) return false
  const done = !tasks.every(isDone)
  store.change({
    update: { blocks: tasks.map(({ id, metadata }) => ({ id, metadata: { ...metadata, done } })) },
  })
  return true
}
