import type { ReactNode } from 'react'
import { createStore } from './store.ts'

/** Background work such as uploads, shown on every page. The feature that starts the work sets its view. */
const dock = createStore<ReactNode>(null)

export const useDock = dock.use
export const openDock = dock.set
