import { textWithNames } from '../../../../contract/text-with-names.ts'
import type { Project, ProjectStatus, ProjectVisibility } from '../../../api/projects.ts'
import type { Meaning } from '../../../components/status.tsx'

export const STATUSES: Record<
  ProjectStatus,
  { label: string; meaning: Meaning; action: string; toast: string }
> = {
  active: { label: 'Active', meaning: 'good', action: 'Reactivate', toast: 'reactivated' },
  completed: { label: 'Completed', meaning: 'info', action: 'Mark as completed', toast: 'completed' },
  archived: { label: 'Archived', meaning: 'neutral', action: 'Archive', toast: 'archived' },
}
export const STATUS_NAMES: ProjectStatus[] = ['active', 'completed', 'archived']

export const VISIBILITIES: Record<ProjectVisibility, { label: string; description: string }> = {
  team: {
    label: 'Team',
    description: 'Everyone in its workspaces can view it. Editors and admins can edit it.',
  },
  private: { label: 'Private', description: 'Only you can see it. Share links still work.' },
}
export const VISIBILITY_NAMES: ProjectVisibility[] = ['team', 'private']

export const asStatus = (value: unknown) => STATUS_NAMES.find((name) => name === value)
export const asVisibility = (value: unknown) => VISIBILITY_NAMES.find((name) => name === value)

const cents = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' })

/** Rounded to cents; the tooltip has the exact amount. */
export function formatSpend({ amount }: Project['spend']): string {
  const value = Number(amount)
  return value > 0 && value < 0.01 ? '< $0.01' : cents.format(value)
}

/** The name of a project inside a sentence. */
export const quoted = ({ name }: Pick<Project, 'name'>) => textWithNames`“${name}”`
