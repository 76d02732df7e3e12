import type { InfiniteData } from '@tanstack/react-query'
import type { Project, ProjectDetails, ProjectFilter } from '../../../api/projects.ts'
import { queryClient } from '../../../api/query-client.ts'

type Pages = InfiniteData<{ items: Project[]; nextCursor: string | null }>

/** Updates the cached lists optimistically; `refreshProjects` then loads the server's state. */
export function changeInLists(id: string, change: Partial<Project>) {
  const before = findInLists(id)
  const after = before && { ...before, ...change }
  editLists((items, filter) =>
    items.some((item) => item.id === id)
      ? items
          .map((item) => (item.id === id ? { ...item, ...change } : item))
          .filter((item) => item.id !== id || matchesFilter(item, filter))
      : after && entersList(after, before, filter)
        ? [after, ...items]
        : items,
  )
  queryClient.setQueriesData<ProjectDetails>(
    { queryKey: ['projects', 'item'] },
    (item) => item && (item.id === id ? { ...item, ...change } : item),
  )
}

const findInLists = (id: string): Project | undefined =>
  queryClient
    .getQueriesData<Pages>({ queryKey: ['projects', 'list'] })
    .flatMap(([, data]) => data?.pages.flatMap((page) => page.items) ?? [])
    .find((item) => item.id === id)

/** Whether a card moves to a column: the filter has the new status, and otherwise matches as before. */
const entersList = (after: Project, before: Project, filter: ProjectFilter): boolean =>
  after.status !== before.status &&
  filter.status === after.status &&
  !filter.search &&
  !filter.favourites &&
  !filter.trashed &&
  (!filter.workspaceId || filter.workspaceId === after.workspaceId) &&
  matchesFilter(after, filter)

export function hideFromLists(id: string) {
  editLists((items) => items.filter((item) => item.id !== id))
}

export const refreshProjects = () => queryClient.invalidateQueries({ queryKey: ['projects'] })

function editLists(edit: (items: Project[], filter: ProjectFilter) => Project[]) {
  for (const query of queryClient.getQueryCache().findAll({ queryKey: ['projects', 'list'] })) {
    const filter = (query.queryKey[2] ?? {}) as ProjectFilter
    queryClient.setQueryData<Pages>(
      query.queryKey,
      (data) =>
        data && { ...data, pages: data.pages.map((page) => ({ ...page, items: edit(page.items, filter) })) },
    )
  }
}

const matchesFilter = (project: Project, { status, visibility, tag }: ProjectFilter) =>
  (!status || project.status === status) &&
  (!visibility || project.visibility === visibility) &&
  (!tag || project.tags.includes(tag))
