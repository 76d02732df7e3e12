import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { countsQuery } from '../api/sidebar.ts'

/** The sidebar lists Phone once the organization has a number; before that, Integrations leads there. */
export function useShowsPhone(): boolean {
  const { pathname } = useLocation()
  return useQuery(countsQuery).data?.phone === true || pathname.startsWith('/phone')
}
