import { authorizationServer } from '../../../../contract/mcp/authorization-server.ts'
import { connectedApps as endpoints } from '../../../../contract/mcp/connected-apps.ts'
import { handle } from '../../../endpoint/route.ts'
import type { Feature } from '../../../feature.ts'
import { fill } from '../../../hooks.ts'
import { signInReplaced } from '../../accounts/accounts/accounts.ts'
import { connect, deny, preview } from './authorize.ts'
import { createClientDocuments } from './client-document.ts'
import { register } from './clients.ts'
import { revokeUserGrants } from './grant-queries.ts'
import { list, revoke } from './grants.ts'
import { readResourceMetadata, readServerMetadata } from './oauth-protocol.ts'
import { sweepJobs, sweepSchedules } from './sweep.ts'
import { handleTokenRequest, revokeToken } from './tokens/token.ts'

export { openCallGrant, revokeCallGrants } from './call-grants.ts'
export { updateGrantsUsed } from './grant-queries.ts'
export { identifyApp } from './grants.ts'

/** Apps that users connect to the MCP server, and its OAuth authorization server. */
export function connectedApps(): Feature {
  const documents = createClientDocuments()
  return {
    routes: [
      handle(authorizationServer.resourceMetadata, readResourceMetadata),
      handle(authorizationServer.rootResourceMetadata, readResourceMetadata),
      handle(authorizationServer.metadata, readServerMetadata),
      handle(authorizationServer.openIdMetadata, readServerMetadata),
      handle(authorizationServer.register, register),
      handle(authorizationServer.token, handleTokenRequest),
      handle(authorizationServer.revoke, revokeToken),
      handle(endpoints.list, list),
      handle(endpoints.preview, preview(documents)),
      handle(endpoints.connect, connect(documents)),
      handle(endpoints.deny, deny(documents)),
      handle(endpoints.revoke, revoke),
    ],
    jobs: sweepJobs,
    schedules: sweepSchedules,
    fills: [
      fill(
        signInReplaced,
        async ({ sql, now }, { userId }) => void (await revokeUserGrants(sql, userId, now())),
      ),
    ],
  }
}
