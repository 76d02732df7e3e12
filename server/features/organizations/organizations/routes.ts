import { invites } from '../../../../contract/organizations/invites.ts'
import { organization } from '../../../../contract/organizations/organization.ts'
import { handle } from '../../../endpoint/route.ts'
import { acceptInvite, readInvite } from './accept.ts'
import { exportAudit, readAudit } from './audit.ts'
import { createInvite, listInvites, revokeInvite } from './invites.ts'
import { changeRole, listMembers, removeMember } from './members.ts'
import { readOrganization, renameOrganization } from './organization.ts'
import { leaveOrganization, transferOwnership } from './ownership.ts'
import { resetPassword } from './reset-password.ts'

export const organizationRoutes = [
  handle(organization.get, readOrganization),
  handle(organization.update, renameOrganization),
  handle(organization.members, listMembers),
  handle(organization.changeRole, changeRole),
  handle(organization.removeMember, removeMember),
  handle(organization.resetPassword, resetPassword),
  handle(organization.leave, leaveOrganization),
  handle(organization.transfer, transferOwnership),
  handle(organization.invites, listInvites),
  handle(organization.invite, createInvite),
  handle(organization.revokeInvite, revokeInvite),
  handle(organization.audit, readAudit),
  handle(organization.exportAudit, exportAudit),
  handle(invites.read, readInvite),
  handle(invites.accept, acceptInvite),
]
