import type { InfiniteData } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { t } from '../../../../contract/text.ts'
import { api } from '../../../api/client.ts'
import {
  type Project,
  type ProjectDetails,
  type ProjectFilter,
  type ProjectStatus,
  type ProjectVisibility,
  projectRef,
} from '../../../api/projects.ts'
import { queryClient } from '../../../api/query-client.ts'
import { withNames } from '../../../components/name.tsx'
import { toast, toastFailure } from '../../../components/toast.tsx'
import { randomId } from '../../../state/random-id.ts'
import { quoted } from './project-labels.ts'

export type Change = Partial<
  Pick<Project, 'name' | 'description' | 'prompt' | 'emoji' | 'status' | 'visibility' | 'tags' | 'metadata'>
>

/** Optimistic, with Undo in a toast. Resolves to false on failure. */
export async function updateProject(project: Project, fields: Change, message: ReactNode): Promise<boolean> {
  const previous = Object.fromEntries(
    Object.keys(fields).map((name) => [name, project[name as keyof Change]]),
  ) as Change
  return attempt(async () => {
    changeInLists(project.id, fields)
    await api.projects.update({ id: project.id, ...fields })
    toast(
      message,
      undo(() => revert(project, previous)),
    )
  })
}

const revert = (project: Project, fields: Change) =>
  attempt(async () => {
    changeInLists(project.id, fields)
    await api.projects.update({ id: project.id, ...fields })
  })

export const rename = (project: Project, name: string) =>
  updateProject(project, { name }, withNames`Renamed to ${name}`)

export const setStatus = (project: Project, status: ProjectStatus) =>
  updateProject(project, { status }, statusToast(status, quoted(project)))

function statusToast(status: ProjectStatus, project: string) {
  if (status === 'active') return withNames`${project} reactivated`
  return status === 'completed' ? withNames`${project} completed` : withNames`${project} archived`
}

export const setVisibility = (project: Project, visibility: ProjectVisibility) =>
  updateProject(project, { visibility }, visibilityToast(visibility, quoted(project)))

const visibilityToast = (visibility: ProjectVisibility, project: string) =>
  visibility === 'team' ? t`${project} is now visible to its workspaces` : t`${project} is now private`

export const remove = (project: Project) =>
  attempt(async () => {
    hideFromLists(project.id)
    await api.projects.remove({ id: project.id })
    toast(
      withNames`Deleted ${quoted(project)}`,
      undo(() => undoRemove(project)),
    )
  })

export const undelete = (project: Project) =>
  attempt(async () => {
    await undeleteSilently(project)
    toast(withNames`Restored ${quoted(project)}`)
  })

const undoRemove = (project: Project) => attempt(() => undeleteSilently(project))

async function undeleteSilently(project: Project) {
  hideFromLists(project.id)
  await api.projects.undelete({ id: project.id })
}

export async function duplicate(project: Project): Promise<Project | undefined> {
  let clone: Project | undefined
  await attempt(async () => {
    clone = await api.projects.duplicate({ id: project.id }, { idempotencyKey: randomId() })
    const created = clone
    toast(
      withNames`Created ${quoted(created)}`,
      undo(() => remove(created)),
    )
  })
  return clone
}

export const pageUrl = (project: Project) => `${location.origin}/projects/${projectRef(project)}`

const undo = (run: () => unknown) => ({ label: t`Undo`, run: () => void run() })

async function attempt(action: () => Promise<unknown>): Promise<boolean> {
  let succeeded = true
  try {
    await action()
  } catch (error) {
    succeeded = false
    toastFailure(error)
  }
  await refreshProjects()
  return succeeded
}

type Pages = InfiniteData<{ items: Project[]; nextCursor: string | null }>

/** Updates cached lists optimistically. `refreshProjects` then loads the server state. */
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

/** True if the filter has the new status and otherwise matches as before. */
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
