import { BULK_MAX } from '../../../../../contract/projects/list-options.ts'
import { t } from '../../../../../contract/text.ts'
import { projectsApi, refreshFavourites } from '../../../../api/project-pages.ts'
import type { Project, ProjectStatus } from '../../../../api/projects.ts'
import { withNames } from '../../../../components/name.tsx'
import { toast, toastFailure } from '../../../../components/toast.tsx'
import { changeInLists, hideFromLists, refreshProjects } from '../project-actions.ts'
import { type BulkAction, sentenceWhenAll, sentenceWhenSome } from './bulk-sentences.ts'
import { selectOnly } from './selection.ts'

const STATUS_AFTER: Partial<Record<BulkAction, ProjectStatus>> = {
  activate: 'active',
  complete: 'completed',
  archive: 'archived',
}
const ACTION_FOR: Record<ProjectStatus, BulkAction> = {
  active: 'activate',
  completed: 'complete',
  archived: 'archive',
}

/** One toast with one Undo. Failed projects stay selected, and the toast gives the reason. */
export async function applyToSelected(action: BulkAction, projects: readonly Project[]): Promise<void> {
  showImmediately(action, projects)
  try {
    const { done, failures } = await send(
      action,
      projects.map(({ id }) => id),
    )
    const changed = projects.filter(({ id }) => done.has(id))
    const undo =
      changed.length > 0 ? { label: t`Undo`, run: () => void undoAction(action, changed) } : undefined
    if (failures.length === 0) toast(sentenceWhenAll(action, changed.length), undo)
    else toast(reportOf(action, projects, failures), undo)
    selectOnly(failures.map(({ id }) => id))
  } catch (error) {
    toastFailure(error)
  }
  await refresh()
}

function reportOf(action: BulkAction, projects: readonly Project[], failures: Failure[]) {
  const [first] = failures
  const name = projects.find(({ id }) => id === first!.id)?.name ?? ''
  const done = sentenceWhenSome(action, projects.length - failures.length, projects.length)
  return failures.length === 1
    ? withNames`${done} “${name}” failed: ${first!.message}.`
    : withNames`${done} “${name}” and ${String(failures.length - 1)} more failed: ${first!.message}.`
}

async function undoAction(action: BulkAction, projects: readonly Project[]): Promise<void> {
  try {
    for (const [reverse, group] of Map.groupBy(projects, (project) => reverseOf(action, project))) {
      await send(
        reverse,
        group.map(({ id }) => id),
      )
    }
  } catch (error) {
    toastFailure(error)
  }
  await refresh()
}

function reverseOf(action: BulkAction, { status }: Project): BulkAction {
  if (action === 'delete') return 'undelete'
  if (action === 'undelete') return 'delete'
  if (action === 'favourite') return 'unfavourite'
  return action === 'unfavourite' ? 'favourite' : ACTION_FOR[status]
}

function showImmediately(action: BulkAction, projects: readonly Project[]): void {
  const status = STATUS_AFTER[action]
  for (const { id } of projects) {
    if (status) changeInLists(id, { status })
    if (action === 'delete' || action === 'undelete') hideFromLists(id)
  }
}

interface Failure {
  id: string
  message: string
}

async function send(action: BulkAction, ids: string[]): Promise<{ done: Set<string>; failures: Failure[] }> {
  const done = new Set<string>()
  const failures: Failure[] = []
  for (let start = 0; start < ids.length; start += BULK_MAX) {
    const { items } = await projectsApi.projectBulk.apply({ action, ids: ids.slice(start, start + BULK_MAX) })
    for (const { id, error } of items) {
      if (error) failures.push({ id, message: error.message })
      else done.add(id)
    }
  }
  return { done, failures }
}

const refresh = () => Promise.all([refreshProjects(), refreshFavourites()])
