import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { connectedApps } from '../../../../../contract/mcp/connected-apps.ts'
import { recordAudit } from '../../../../audit/record.ts'
import type { Context } from '../../../../context.ts'
import { conflict, notFound } from '../../../../errors.ts'
import { sha256 } from '../../../../security/digest.ts'
import { newId } from '../../../../security/ids.ts'
import { randomToken } from '../../../../security/random.ts'
import { findRole } from '../../../organizations/membership/membership.ts'
import { hostOfClient } from '../clients/client.ts'
import type { ClientDocuments } from '../clients/client-document.ts'
import { countGrants, insertGrant, lockGrantsOf } from '../grant-queries.ts'
import { refusal } from '../oauth-refusal.ts'
import { type AuthorizationRequest, describeApp, readRequest } from './request.ts'

const CODE_SECONDS = 60
const DAY_MS = 86_400_000
const GRANTS_MAX = 100

export const preview =
  (documents: ClientDocuments) =>
  async (ctx: Context, { request }: InputOf<typeof connectedApps.preview>) => {
    const authorization = await readRequest(ctx, documents, request)
    const { problem, access } = authorization
    return {
      app: describeApp(authorization),
      access,
      problem: problem && { ...problem, redirect: authorization.respond(errorOf(problem)) },
    }
  }

/** Creates a grant with a code. Until the app exchanges the code, the grant gives no access. */
export const connect =
  (documents: ClientDocuments) => async (ctx: Context, input: InputOf<typeof connectedApps.connect>) => {
    const authorization = await readRequest(ctx, documents, input.request)
    if (authorization.problem) throw refusal(authorization.problem.error, authorization.problem.description)
    const { userId, credentialId: sessionId } = ctx.caller
    const orgId = input.organizationId ?? ctx.caller.orgId
    const code = randomToken(32)
    const now = ctx.now()
    const after = (ms: number) => new Date(now.getTime() + ms)
    await ctx.transaction(async (inside) => {
      if (!(await findRole(inside.sql, orgId, userId))) throw notFound('Organization')
      await lockGrantsOf(inside.sql, orgId, userId)
      if ((await countGrants(inside.sql, orgId, userId, now)) >= GRANTS_MAX)
        throw conflict(`You have ${GRANTS_MAX} connected apps in this organization: disconnect one first`)
      const id = newId()
      const host = hostOfClient(authorization.client, authorization.redirectUri)
      await insertGrant(inside.sql, orgId, {
        id,
        userId,
        sessionId,
        clientId: authorization.client.id,
        clientName: authorization.client.name,
        clientHost: host,
        access: input.access,
        redirectUri: authorization.redirectUri,
        challenge: authorization.challenge,
        codeHash: sha256(code),
        codeExpiresAt: after(CODE_SECONDS * 1000),
        expiresAt: input.days === null ? null : after(input.days * DAY_MS),
        now,
      })
      const details = { name: authorization.client.name, host, access: input.access }
      await recordAudit(inside, {
        action: 'app.connected',
        by: { orgId, userId, via: 'session' },
        target: id,
        details,
      })
    })
    return { redirect: authorization.respond({ code }) }
  }

export const deny =
  (documents: ClientDocuments) =>
  async (ctx: Context, { request }: InputOf<typeof connectedApps.deny>) => {
    const authorization = await readRequest(ctx, documents, request)
    const { client, redirectUri } = authorization
    const details = { name: client.name, host: hostOfClient(client, redirectUri) }
    await recordAudit(ctx, { action: 'app.denied', by: ctx.caller, details })
    return { redirect: authorization.respond(errorOf(authorization.problem ?? DENIED)) }
  }

const DENIED = { error: 'access_denied', description: 'The user did not connect the app' }

const errorOf = ({ error, description }: NonNullable<AuthorizationRequest['problem']>) => ({
  error,
  error_description: description,
})
