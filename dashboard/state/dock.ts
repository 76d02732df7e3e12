import type { ReactNode } from 'react'
import { createStore } from './store.ts'

/** What keeps working at the edge of the frame whichever page is open. Who starts such work brings its view along. */
const dock = createStore<ReactNode>(null)

export const useDock = dock.use
export const openDock = dock.set
