import { useEffect } from 'react'
import type { SearchType } from '../../../contract/search/search-options.ts'
import { api } from '../../api/client.ts'

/** Records that the person opened a page: an empty search lists it first. A failure only affects this order. */
export function useRecordOpened(type: SearchType, id: string | undefined) {
  useEffect(() => {
    if (id) api.search.opened({ type, id }).catch(() => {})
  }, [type, id])
}
