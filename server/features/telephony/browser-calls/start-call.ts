import type { InputOf, OutputOf } from '../../../../contract/endpoint.ts'
import type { browserCalls } from '../../../../contract/telephony/browser-calls.ts'
import { BROWSER_CALL_LIMITS } from '../../../../contract/telephony/telephony-options.ts'
import type { Context } from '../../../context.ts'
import { ApiError, badField, conflict, forbidden, raise } from '../../../errors.ts'
import { newId } from '../../../security/ids.ts'
import { findAgent } from '../../agents/agents/agents.ts'
import { requireVoice } from '../../agents/voice/voice.ts'
import { findProject } from '../../projects/projects/projects.ts'
import { lockCall } from '../calls/queries.ts'
import { findCallFor, presentCall } from '../calls/read-calls.ts'
import { publishCall, recordEntry } from '../calls/record.ts'
import type { TelephonyOptions } from '../dependencies.ts'
import { updateToken } from '../relay/relay-queries.ts'
import { newToken, type RelayToken } from '../relay/relay-token.ts'
import { countOpen, insertBrowserCall, lockBrowserCalls } from './queries.ts'

export const SOCKET_PATH = '/api/v1/telephony/browser-calls/:callId/socket'

export const CONNECT_MS = BROWSER_CALL_LIMITS.connectSeconds * 1000
/** The time to end after a token has expired, so that its use still finds the call. */
const SLACK_MS = 5000

type Started = OutputOf<typeof browserCalls.create>

export const startCall =
  ({ models }: Pick<TelephonyOptions, 'models'>) =>
  async (ctx: Context<'vault'>, input: InputOf<typeof browserCalls.create>): Promise<Started> => {
    const { orgId, userId: memberId } = ctx.caller
    if (!canTalk(ctx)) throw forbidden('Only members and their API keys can talk to an agent')
    const project = await findProject(ctx, input.projectId, 'edit')
    const agent = (await findAgent(ctx.sql, orgId, input.agentId)) ?? raise(noAgent('does not exist'))
    if (agent.archivedAt) throw noAgent('is archived: unarchive it, or choose another one')
    await requireVoice(models, ctx, 'transcription')
    await requireVoice(models, ctx, 'speech')
    return ctx.transaction(async (inside) => {
      const { sql } = inside
      const [id, now] = [newId(), ctx.now()]
      await lockBrowserCalls(sql, orgId)
      requireFree(await countOpen(sql, orgId, { memberId, now }))
      const token = newToken(ctx, id, CONNECT_MS)
      await insertBrowserCall(sql, orgId, {
        ...{ id, projectId: project.id, agentId: agent.id, agentName: agent.settings.name, memberId },
        keyId: keyIdOf(ctx),
        relay: { ...token.stored, ...signInOf(ctx), language: input.language },
        ...{ dueAt: new Date(now.getTime() + CONNECT_MS + SLACK_MS), now },
      })
      await recordEntry(sql, orgId, id, { at: now, type: 'queued' })
      const call = await findCallFor(inside, id)
      await publishCall(sql, orgId, now, 'call.started', call, 'queued')
      return present(call, token)
    })
  }

const canTalk = ({ caller }: Pick<Context, 'caller'>) => caller.via === 'session' || caller.via === 'key'

const keyIdOf = ({ caller }: Pick<Context, 'caller'>) => (caller.via === 'key' ? caller.credentialId : null)

const signInOf = ({ caller }: Pick<Context, 'caller'>) =>
  caller.via === 'session' ? { signInId: caller.credentialId } : {}

/** A lost connection is opened again with another token. */
export const reconnectCall = (
  ctx: Context<'vault'>,
  { id }: InputOf<typeof browserCalls.connect>,
): Promise<Started> =>
  ctx.transaction(async (inside) => {
    const { sql } = inside
    const { orgId, userId } = ctx.caller
    const call = await findCallFor(inside, id, 'edit')
    if (call.provider !== 'browser' || call.createdBy !== userId)
      throw forbidden('Only the member who talks in this call can connect it')
    // The call's work is charged to its key, and ends with it.
    if (call.keyId !== keyIdOf(ctx) || !canTalk(ctx))
      throw forbidden('Connect the call as it was started: signed in, or with the same API key')
    await lockCall(sql, orgId, id)
    const token = newToken(ctx, id, CONNECT_MS)
    const relay = await updateToken(sql, orgId, id, { ...token.stored, ...signInOf(ctx) })
    if (relay === null) throw conflict('The call has ended')
    return present(call, token)
  })

const present = (call: Parameters<typeof presentCall>[0], { token, stored }: RelayToken): Started => ({
  call: presentCall(call),
  socket: { path: SOCKET_PATH.replace(':callId', call.id), token, expiresAt: stored.tokenUntil },
})

function requireFree({ ofMember, ofOrganization }: Awaited<ReturnType<typeof countOpen>>): void {
  const { perMember, perOrganization } = BROWSER_CALL_LIMITS
  if (ofMember >= perMember)
    throw tooMany(`You have ${perMember} calls in the browser already: end one of them`)
  if (ofOrganization >= perOrganization)
    throw tooMany(`Your organization has ${perOrganization} calls in the browser already: try again later`)
}

const tooMany = (message: string) =>
  new ApiError('CONFLICT', message, { details: { reason: 'too_many_calls' } })

const noAgent = (problem: string) => badField('body.agentId', problem)
