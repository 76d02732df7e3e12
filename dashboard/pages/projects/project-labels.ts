import type { Project, ProjectStatus, ProjectVisibility } from '../../api/projects.ts'
import type { Meaning } from '../../components/status.tsx'

export const STATUSES: Record<ProjectStatus, { word: string; meaning: Meaning; act: string; done: string }> =
  {
    active: { word: 'Active', meaning: 'good', act: 'Make active again', done: 'is active again' },
    completed: { word: 'Completed', meaning: 'info', act: 'Mark as completed', done: 'is completed' },
    archived: { word: 'Archived', meaning: 'neutral', act: 'Archive', done: 'is archived' },
  }
export const STATUS_NAMES: ProjectStatus[] = ['active', 'completed', 'archived']

export const VISIBILITIES: Record<ProjectVisibility, { word: string; meaning: string }> = {
  team: { word: 'Team', meaning: 'Everybody in its workspaces sees it; editors and admins change it.' },
  private: { word: 'Private', meaning: 'Only you see it: no workspace, no admin. A share link still works.' },
}
export const VISIBILITY_NAMES: ProjectVisibility[] = ['team', 'private']

export const asStatus = (value: unknown) => STATUS_NAMES.find((name) => name === value)
export const asVisibility = (value: unknown) => VISIBILITY_NAMES.find((name) => name === value)

const cents = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' })

/** Money as people say it; the exact amount is for the title. */
export function spendWords({ amount }: Project['spend']): string {
  const value = Number(amount)
  return value > 0 && value < 0.01 ? '< $0.01' : cents.format(value)
}

/** A project as it is called in a sentence. */
export const called = ({ name }: Pick<Project, 'name'>) => `“${name}”`
