import type { Role } from '../../../../contract/accounts/accounts.ts'

export const ROLE_LABELS: Record<Role, { label: string; article: string; description: string }> = {
  owner: { label: 'Owner', article: 'an owner', description: 'Full access, including ownership' },
  admin: { label: 'Admin', article: 'an admin', description: 'Manages members, workspaces and settings' },
  member: { label: 'Member', article: 'a member', description: 'Works in the workspaces they are added to' },
}
