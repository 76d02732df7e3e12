import type { Role } from '../../../../contract/accounts/accounts.ts'
import { t } from '../../../../contract/text.ts'

export const ROLE_LABELS: Record<Role, { label: string; article: string; description: string }> = {
  owner: { label: t`Owner`, article: t`an owner`, description: t`Full access, including ownership` },
  admin: { label: t`Admin`, article: t`an admin`, description: t`Manages members, workspaces and settings` },
  member: {
    label: t`Member`,
    article: t`a member`,
    description: t`Works in the workspaces they’re added to`,
  },
}
