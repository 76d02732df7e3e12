import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type ProjectFilter, type ProjectStatus, projectsQuery } from '../../../../api/projects.ts'

/** The projects with one status, a page at a time. */
export function useColumn(filter: ProjectFilter, status: ProjectStatus) {
  const list = useInfiniteQuery({
    ...projectsQuery({ ...filter, status }),
    placeholderData: keepPreviousData,
  })
  const items = useMemo(() => list.data?.pages.flatMap((page) => page.items) ?? [], [list.data])
  return { list, items }
}
