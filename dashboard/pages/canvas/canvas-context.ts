import { createContext, use, useSyncExternalStore } from 'react'
import type { OpenCanvas } from './open-canvas.ts'
import type { Block } from './store/items.ts'

export const CanvasContext = createContext<OpenCanvas | null>(null)

/** The canvas that is open around this part of the page. */
export function useCanvas(): OpenCanvas {
  const canvas = use(CanvasContext)
  if (!canvas) throw new Error('There is no canvas around this part')
  return canvas
}

/** One block; drawn again when that one changes. */
export function useBlock(id: string): Block | undefined {
  const { store } = useCanvas()
  return useSyncExternalStore(store.watch, () => store.items.blocks.get(id))
}

/** Whether the server has it: until then there is nothing to ask it about. */
export function useIsSaved(id: string): boolean {
  const { store } = useCanvas()
  return useSyncExternalStore(store.watch, () => store.isSaved(id))
}

/** So far out that nobody could read anything, blocks are boxes with at most a name. */
export const FarContext = createContext<'near' | 'far' | 'dots'>('near')
