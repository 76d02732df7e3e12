import type { InfiniteData } from '@tanstack/react-query'
import { queryClient } from '../../../../api/query-client.ts'
import type { FileEntry } from '../files-queries.ts'

interface FilePage {
  items: FileEntry[]
}

/** Updates every cached list optimistically; `refreshFiles` then loads the server state. */
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
