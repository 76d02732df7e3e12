import { api } from '../../api/client.ts'
import { type Project, type ProjectStatus, projectRef } from '../../api/projects.ts'
import { toast, toastFailure } from '../../components/toast.tsx'
import { randomId } from '../../state/random-id.ts'
import { called, STATUSES } from './project-labels.ts'
import { changeInLists, hideFromLists, refreshProjects } from './project-lists.ts'

/** What can be done to a project, shown at once and said afterwards, each with its way back. */

export type Change = Partial<
  Pick<Project, 'name' | 'description' | 'prompt' | 'emoji' | 'status' | 'visibility' | 'tags' | 'metadata'>
>

/** Changes it and says so; the toast takes it back. Answers whether it was done. */
export async function change(project: Project, fields: Change, said: string): Promise<boolean> {
  const before = Object.fromEntries(
    Object.keys(fields).map((name) => [name, project[name as keyof Change]]),
  ) as Change
  return attempt(async () => {
    changeInLists(project.id, fields)
    await api.projects.update({ id: project.id, ...fields })
    toast(
      said,
      undo(() => changeBack(project, before)),
    )
  })
}

const changeBack = (project: Project, fields: Change) =>
  attempt(async () => {
    changeInLists(project.id, fields)
    await api.projects.update({ id: project.id, ...fields })
  })

export const rename = (project: Project, name: string) => change(project, { name }, `Renamed to ${name}`)

export const setStatus = (project: Project, status: ProjectStatus) =>
  change(project, { status }, `${called(project)} ${STATUSES[status].done}`)

export const remove = (project: Project) =>
  attempt(async () => {
    hideFromLists(project.id)
    await api.projects.remove({ id: project.id })
    toast(
      `Deleted ${called(project)}`,
      undo(() => bringBack(project)),
    )
  })

export const undelete = (project: Project) =>
  attempt(async () => {
    await bringBackQuietly(project)
    toast(`${called(project)} is back`)
  })

const bringBack = (project: Project) => attempt(() => bringBackQuietly(project))

async function bringBackQuietly(project: Project) {
  hideFromLists(project.id)
  await api.projects.undelete({ id: project.id })
}

export async function duplicate(project: Project): Promise<Project | undefined> {
  let clone: Project | undefined
  await attempt(async () => {
    clone = await api.projects.duplicate({ id: project.id }, { idempotencyKey: randomId() })
    const made = clone
    toast(
      `Made ${called(made)}`,
      undo(() => remove(made)),
    )
  })
  return clone
}

/** The page that shows it, to hand on to somebody who may see it. */
export const pageUrl = (project: Project) => `${location.origin}/projects/${projectRef(project)}`

const undo = (run: () => unknown) => ({ label: 'Undo', run: () => void run() })

async function attempt(act: () => Promise<unknown>): Promise<boolean> {
  let done = true
  try {
    await act()
  } catch (error) {
    done = false
    toastFailure(error)
  }
  await refreshProjects()
  return done
}
