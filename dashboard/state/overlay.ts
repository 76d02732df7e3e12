import type { ReactNode } from 'react'
import { createStore } from './store.ts'

/** At most one global overlay is open. */
export type Overlay = 'palette' | 'shortcuts' | 'send-feedback' | 'menu'

const overlay = createStore<Overlay | null>(null)

export const useOverlay = overlay.use
export const openOverlay = (name: Overlay) => overlay.set(name)
export const closeOverlay = () => overlay.set(null)

/** Background work such as uploads, shown on every page. The feature that starts it sets the view. */
const dock = createStore<ReactNode>(null)

export const useDock = dock.use
export const openDock = dock.set
