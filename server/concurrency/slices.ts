import { setImmediate as nextTurn } from 'node:timers/promises'

/** 100 of the longest typical blocks take a few milliseconds per event loop turn. */
export const SLICE_ITEMS = 100

/** Yields to other work between slices. */
export async function inSlices<T>(
  items: readonly T[],
  handle: (item: T, index: number) => void,
): Promise<void> {
  for (let at = 0; at < items.length; at += SLICE_ITEMS) {
    if (at > 0) await nextTurn()
    const end = Math.min(at + SLICE_ITEMS, items.length)
    for (let index = at; index < end; index++) handle(items[index]!, index)
  }
}
