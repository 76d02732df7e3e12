import type { Role } from '../../../../contract/accounts/accounts.ts'

export const ROLE_LABELS: Record<Role, { word: string; article: string; may: string }> = {
  owner: { word: 'Owner', article: 'an owner', may: 'Everything, and makes other owners' },
  admin: { word: 'Admin', article: 'an admin', may: 'Manages members, workspaces and settings' },
  member: { word: 'Member', article: 'a member', may: 'Works in the workspaces they belong to' },
}
