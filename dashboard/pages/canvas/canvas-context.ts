import { createContext, use, useSyncExternalStore } from 'react'
import type { OpenCanvas } from './open-canvas.ts'
import type { Block } from './store/items.ts'

export const CanvasContext = createContext<OpenCanvas | null>(null)

export function useCanvas(): OpenCanvas {
  const canvas = use(CanvasContext)
  if (!canvas) throw new Error('useCanvas needs a CanvasContext')
  return canvas
}

export function useBlock(id: string): Block | undefined {
  const { store } = useCanvas()
  return useSyncExternalStore(store.watch, () => store.items.blocks.get(id))
}

/** Until the server has confirmed the block, its file can't be requested. */
export function useIsSaved(id: string): boolean {
  const { store } = useCanvas()
  return useSyncExternalStore(store.watch, () => store.isSaved(id))
}

/** Full content, name only, or plain boxes. */
export const LodContext = createContext<'near' | 'far' | 'dots'>('near')
