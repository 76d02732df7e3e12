import { createStore } from './store.ts'

/** The open global overlay; at most one is open. */
export type Overlay = 'palette' | 'shortcuts' | 'send-feedback' | 'menu'

const overlay = createStore<Overlay | null>(null)

export const useOverlay = overlay.use
export const openOverlay = (name: Overlay) => overlay.set(name)
export const closeOverlay = () => overlay.set(null)
