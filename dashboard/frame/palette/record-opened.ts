import { useEffect } from 'react'
import type { SearchType } from '../../../contract/search/search-options.ts'
import { api } from '../../api/client.ts'

/** An empty search lists opened pages first. A failure affects only this order. */
export function useRecordOpened(type: SearchType, id: string | undefined) {
  useEffect(() => {
    if (id) api.search.opened({ type, id }).catch(() => {})
  }, [type, id])
}
