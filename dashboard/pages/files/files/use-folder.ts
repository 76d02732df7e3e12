import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { ROOT } from './breadcrumbs.tsx'
import { nameLabel } from './file-labels.ts'
import { type FolderId, fileQuery, listQuery, pathTo } from './files-queries.ts'
import { readOnlyReason, useIsFolderReadOnly } from './read-only.ts'

const route = getRouteApi('/app/files')

export function useFolder(id: FolderId) {
  const { q, tag, sort } = route.useSearch()
  const folder = useQuery({ ...fileQuery(id ?? ''), enabled: id !== null })
  const list = useInfiniteQuery({
    ...listQuery({ parentId: id, search: q, tag, sort }),
    placeholderData: keepPreviousData,
  })
  const items = useMemo(() => list.data?.pages.flatMap((page) => page.items) ?? [], [list.data])
  const projectId = id === null ? null : folder.data?.projectId
  return {
    id,
    q,
    tag,
    sort,
    isFiltered: q !== undefined || tag !== undefined,
    list,
    items,
    isEmpty: list.data !== undefined && items.length === 0 && !list.isPlaceholderData,
    failedQuery: folder.error && !folder.data ? folder : list.error && !list.data ? list : undefined,
    name: id === null ? ROOT.name : folder.data ? nameLabel(folder.data.name) : '…',
    ancestors: folder.data ? pathTo(folder.data).slice(0, -1) : [],
    projectId,
    readOnly: useIsFolderReadOnly(projectId),
    readOnlyReason: readOnlyReason(projectId),
  }
}

export type OpenFolder = ReturnType<typeof useFolder>
