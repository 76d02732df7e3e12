import { sharing } from '../../../../contract/projects/sharing.ts'
import { handle } from '../../../endpoint/route.ts'
import { acceptInvite, readInvite } from './accept-invite.ts'
import { confirmJoin, requestToJoin } from './confirm-join.ts'
import { invite, revokeInvite } from './invites.ts'
import { openShare } from './open-share.ts'
import { readSharing, share, unshare } from './shares.ts'

export const sharingRoutes = [
  handle(sharing.read, readSharing),
  handle(sharing.share, share),
  handle(sharing.unshare, unshare),
  handle(sharing.invite, invite),
  handle(sharing.revokeInvite, revokeInvite),
  handle(sharing.open, openShare),
  handle(sharing.readInvite, readInvite),
  handle(sharing.acceptInvite, acceptInvite),
  handle(sharing.requestToJoin, requestToJoin),
  handle(sharing.confirmJoin, confirmJoin),
]
