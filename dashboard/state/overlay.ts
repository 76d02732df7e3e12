import type { ReactNode } from 'react'
import { createStore } from './store.ts'

/** The open global overlay; at most one is open. */
export type Overlay = 'palette' | 'shortcuts' | 'send-feedback' | 'menu'

const overlay = createStore<Overlay | null>(null)

export const useOverlay = overlay.use
export const openOverlay = (name: Overlay) => overlay.set(name)
export const closeOverlay = () => overlay.set(null)

/** Background work such as uploads, shown on every page. The feature that starts the work sets its view. */
const dock = createStore<ReactNode>(null)

export const useDock = dock.use
export const openDock = dock.set
