import { useEffect } from 'react'
import { createStore } from './store.ts'

/** Null shows the route's title. */
const pageTitle = createStore<string | null>(null)

export const useShownTitle = pageTitle.use

export function usePageTitle(title: string | null | undefined) {
  useEffect(() => {
    pageTitle.set(title?.trim() || null)
    return () => pageTitle.set(null)
  }, [title])
}
