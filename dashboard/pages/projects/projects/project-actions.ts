import type { ReactNode } from 'react'
import { api } from '../../../api/client.ts'
import { type Project, type ProjectStatus, projectRef } from '../../../api/projects.ts'
import { withNames } from '../../../components/name.tsx'
import { toast, toastFailure } from '../../../components/toast.tsx'
import { randomId } from '../../../state/random-id.ts'
import { quoted, STATUSES } from './project-labels.ts'
import { changeInLists, hideFromLists, refreshProjects } from './project-lists.ts'

export type Change = Partial<
  Pick<Project, 'name' | 'description' | 'prompt' | 'emoji' | 'status' | 'visibility' | 'tags' | 'metadata'>
>

/** Updates a project optimistically, with a toast that has Undo. Resolves to false if the update failed. */
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
  updateProject(project, { status }, withNames`${quoted(project)} ${STATUSES[status].toast}`)

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

const undo = (run: () => unknown) => ({ label: 'Undo', run: () => void run() })

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
