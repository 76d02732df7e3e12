import { type InfiniteData, infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { Contract } from '../../../../contract/index.ts'
import { api } from '../../../api/client.ts'
import { queryClient } from '../../../api/query-client.ts'

export type FileEntry = OutputOf<Contract['files']['update']>
/** In the trash, includes the actions the user may take. */
export type ListedFile = OutputOf<Contract['files']['list']>['items'][number]
export type FileDetails = OutputOf<Contract['files']['get']>
export type Preview = OutputOf<Contract['files']['preview']>
/** Null is the organization's root. */
export type FolderId = string | null

const PAGE_SIZE = 100
const FOLDER_STALE_MS = 60_000

/** With a search or tag, includes all subfolders. */
export interface FileListQuery {
  parentId: FolderId
  search?: string
  tag?: string
  sort?: 'newest' | 'largest'
}

const pages = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }: { nextCursor: string | null }) => nextCursor ?? undefined,
}

export const listQuery = ({ parentId, search, tag, sort }: FileListQuery) =>
  infiniteQueryOptions({
    queryKey: ['files', 'list', parentId, { search, tag, sort }],
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: PAGE_SIZE, parentId: parentId ?? undefined, search, tag, sort }
      let page = await api.files.list({ ...query, cursor: pageParam }, { signal })
      // A search scans a large list in parts, and a part may have no match.
      while (page.items.length === 0 && page.nextCursor)
        page = await api.files.list({ ...query, cursor: page.nextCursor }, { signal })
      return page
    },
    ...pages,
  })

export const foldersQuery = (parentId: FolderId) =>
  infiniteQueryOptions({
    queryKey: ['files', 'folders', parentId],
    queryFn: ({ pageParam: cursor, signal }) =>
      api.files.list(
        { limit: PAGE_SIZE, parentId: parentId ?? undefined, source: 'folder', cursor },
        { signal },
      ),
    ...pages,
  })

export const trashQuery = infiniteQueryOptions({
  queryKey: ['files', 'trash'],
  queryFn: ({ pageParam: cursor, signal }) =>
    api.files.list({ limit: PAGE_SIZE, trashed: 'true', cursor }, { signal }),
  ...pages,
})

export const fileQuery = (id: string) =>
  queryOptions({
    queryKey: ['files', 'item', id],
    queryFn: ({ signal }) => api.files.get({ id }, { signal }),
  })

/** Folder names and paths rarely change. */
export const folderQuery = (id: string) => queryOptions({ ...fileQuery(id), staleTime: FOLDER_STALE_MS })

export const previewQuery = (id: string) =>
  queryOptions({
    queryKey: ['preview', id],
    queryFn: ({ signal }) => api.files.preview({ id }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

export const isFolder = ({ source }: Pick<FileEntry, 'source'>) => source === 'folder'

export const pathTo = ({ ancestors, id, name }: FileDetails) => [
  ...ancestors.filter((ancestor) => ancestor.id !== id),
  { id, name },
]

interface FilePage {
  items: FileEntry[]
}

/** Updates cached lists optimistically. `refreshFiles` then loads the server state. */
function editLists(edit: (items: FileEntry[]) => FileEntry[]) {
  for (const queryKey of [
    ['files', 'list'],
    ['files', 'folders'],
    ['files', 'trash'],
  ]) {
    queryClient.setQueriesData<InfiniteData<FilePage>>(
      { queryKey },
      (data) => data && { ...data, pages: data.pages.map((page) => ({ ...page, items: edit(page.items) })) },
    )
  }
}

export function removeFromLists(ids: ReadonlySet<string>) {
  editLists((items) => (items.some(({ id }) => ids.has(id)) ? items.filter(({ id }) => !ids.has(id)) : items))
}

export function updateInLists(id: string, change: Partial<FileEntry>) {
  editLists((items) =>
    items.some((item) => item.id === id)
      ? items.map((item) => (item.id === id ? { ...item, ...change } : item))
      : items,
  )
  queryClient.setQueryData<FileEntry>(['files', 'item', id], (item) => item && { ...item, ...change })
}

export const refreshFiles = () => queryClient.invalidateQueries({ queryKey: ['files'] })
