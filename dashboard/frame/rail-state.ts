import { useMatches } from '@tanstack/react-router'
import { useEffect } from 'react'
import { createStore, localStore } from '../state/store.ts'

const KEY = 'atrium.rail'
const CANVAS_ROUTE = '/app/projects/$ref'

const collapsed = createStore(localStore.read(KEY) === 'collapsed')
/** On a canvas the sidebar starts folded; the user's choice there lasts until they leave. Null elsewhere. */
const collapsedOnCanvas = createStore<boolean | null>(null)

export function useRailCollapsed(): boolean {
  const isCanvas = useMatches({
    select: (matches) => matches.some(({ routeId }) => routeId === CANVAS_ROUTE),
  })
  const isCollapsed = collapsed.use()
  const isCollapsedOnCanvas = collapsedOnCanvas.use()
  useEffect(() => {
    if (!isCanvas) return
    collapsedOnCanvas.set(true)
    return () => collapsedOnCanvas.set(null)
  }, [isCanvas])
  return isCanvas ? (isCollapsedOnCanvas ?? true) : isCollapsed
}

export function toggleRail() {
  const onCanvas = collapsedOnCanvas.get()
  if (onCanvas !== null) return collapsedOnCanvas.set(!onCanvas)
  collapsed.set(!collapsed.get())
  localStore.write(KEY, collapsed.get() ? 'collapsed' : null)
}
