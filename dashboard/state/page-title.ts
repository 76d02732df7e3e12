import { useEffect } from 'react'
import { createStore } from './store.ts'

/** The name of the record that the page shows; null: the title of the route. */
const pageTitle = createStore<string | null>(null)

export const useShownTitle = pageTitle.use

/** Names the browser tab after the record of the page, while the page is open. */
export function usePageTitle(title: string | null | undefined) {
  useEffect(() => {
    pageTitle.set(title?.trim() || null)
    return () => pageTitle.set(null)
  }, [title])
}
