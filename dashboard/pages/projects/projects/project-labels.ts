import { LOCALE, t } from '../../../../contract/text.ts'
import { isolateName } from '../../../../contract/text-with-names.ts'
import type { Project, ProjectStatus, ProjectVisibility } from '../../../api/projects.ts'
import type { Meaning } from '../../../components/status.tsx'

export const STATUSES: Record<ProjectStatus, { label: string; meaning: Meaning; action: string }> = {
  active: { label: t`Active`, meaning: 'good', action: t`Reactivate` },
  completed: { label: t`Completed`, meaning: 'info', action: t`Mark as completed` },
  archived: { label: t`Archived`, meaning: 'neutral', action: t`Archive` },
}
export const STATUS_NAMES: ProjectStatus[] = ['active', 'completed', 'archived']

export const VISIBILITIES: Record<ProjectVisibility, { label: string; description: string }> = {
  team: {
    label: t`Workspace`,
    description: t`Members of the project’s workspaces can view it; editors and admins can edit it.`,
  },
  private: { label: t`Private`, description: t`Only you can see it. Share links still work.` },
}
export const VISIBILITY_NAMES: ProjectVisibility[] = ['team', 'private']

export const asStatus = (value: unknown) => STATUS_NAMES.find((name) => name === value)
export const asVisibility = (value: unknown) => VISIBILITY_NAMES.find((name) => name === value)

const cents = new Intl.NumberFormat(LOCALE, { style: 'currency', currency: 'USD' })

/** Rounded to cents. The tooltip has the exact amount. */
export function formatSpend({ amount }: Project['spend']): string {
  const value = Number(amount)
  return value > 0 && value < 0.01 ? `< ${cents.format(0.01)}` : cents.format(value)
}

export const quoted = ({ name }: Pick<Project, 'name'>) => t`“${isolateName(name)}”`
