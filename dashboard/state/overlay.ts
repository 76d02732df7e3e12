import { createStore } from './store.ts'

/** Which of the overlays that open from anywhere is open; at most one. */
export type Overlay = 'palette' | 'shortcuts' | 'send-feedback' | 'menu'

const overlay = createStore<Overlay | null>(null)

export const useOverlay = overlay.use
export const openOverlay = (name: Overlay) => overlay.set(name)
export const closeOverlay = () => overlay.set(null)
