import type { InputOf } from '../../../../contract/endpoint.ts'
import type { connectedApps } from '../../../../contract/mcp/connected-apps.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import { conflict, notFound } from '../../../errors.ts'
import { sha256 } from '../../../security/digest.ts'
import { newId } from '../../../security/ids.ts'
import { randomToken } from '../../../security/random.ts'
import { findRole } from '../../membership/membership.ts'
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
    const asked = await readRequest(ctx, documents, request)
    const { problem, access } = asked
    return {
      app: describeApp(asked),
      access,
      problem: problem && { ...problem, redirect: asked.respond(errorOf(problem)) },
    }
  }

/** Creates a grant with a code. Until the app exchanges the code, the grant gives no access. */
export const connect =
  (documents: ClientDocuments) => async (ctx: Context, input: InputOf<typeof connectedApps.connect>) => {
    const asked = await readRequest(ctx, documents, input.request)
    if (asked.problem) throw refusal(asked.problem.error, asked.problem.description)
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
      const host = hostOfClient(asked.client, asked.redirectUri)
      await insertGrant(inside.sql, orgId, {
        id,
        userId,
        sessionId,
        clientId: asked.client.id,
        clientName: asked.client.name,
        clientHost: host,
        access: input.access,
        redirectUri: asked.redirectUri,
        challenge: asked.challenge,
        codeHash: sha256(code),
        codeExpiresAt: after(CODE_SECONDS * 1000),
        expiresAt: input.days === null ? null : after(input.days * DAY_MS),
        now,
      })
      const details = { name: asked.client.name, host, access: input.access }
      await recordAudit(inside, {
        action: 'app.connected',
        by: { orgId, userId, via: 'session' },
        target: id,
        details,
      })
    })
    return { redirect: asked.respond({ code }) }
  }

export const deny =
  (documents: ClientDocuments) =>
  async (ctx: Context, { request }: InputOf<typeof connectedApps.deny>) => {
    const asked = await readRequest(ctx, documents, request)
    const details = { name: asked.client.name, host: hostOfClient(asked.client, asked.redirectUri) }
    await recordAudit(ctx, { action: 'app.denied', by: ctx.caller, details })
    return { redirect: asked.respond(errorOf(asked.problem ?? DENIED)) }
  }

const DENIED = { error: 'access_denied', description: 'The user did not connect the app' }

const errorOf = ({ error, description }: NonNullable<AuthorizationRequest['problem']>) => ({
  error,
  error_description: description,
})
