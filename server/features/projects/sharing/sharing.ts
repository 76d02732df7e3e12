import { sharing as endpoints } from '../../../../contract/projects/sharing.ts'
import { handle } from '../../../endpoint/route.ts'
import type { Feature } from '../../../feature.ts'
import { acceptInvite, readInvite } from './accept-invite.ts'
import { confirmJoin, requestToJoin, sharingJobs } from './confirm-join.ts'
import { openShare } from './guest-tokens.ts'
import { invite, revokeInvite } from './invites.ts'
import { readSharing, share, unshare } from './shares.ts'

export { verifyGuestToken } from './guest-tokens.ts'

/** Share links for guests, and invitations to a project's workspace. */
export const sharing: Feature = {
  routes: [
    handle(endpoints.read, readSharing),
    handle(endpoints.share, share),
    handle(endpoints.unshare, unshare),
    handle(endpoints.invite, invite),
    handle(endpoints.revokeInvite, revokeInvite),
    handle(endpoints.open, openShare),
    handle(endpoints.readInvite, readInvite),
    handle(endpoints.acceptInvite, acceptInvite),
    handle(endpoints.requestToJoin, requestToJoin),
    handle(endpoints.confirmJoin, confirmJoin),
  ],
  jobs: sharingJobs,
}
