import { ENDPOINT_LIMITS } from '../../../../../contract/connections/connector-endpoint-options.ts'
import type { connectorEndpoints } from '../../../../../contract/connections/connector-endpoints.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import { recordAudit } from '../../../../audit/record.ts'
import type { Context } from '../../../../context.ts'
import { ApiError, badField, conflict, notFound, raise } from '../../../../errors.ts'
import { newId } from '../../../../security/ids.ts'
import { findAgent } from '../../../agents/agents/agents.ts'
import { findProject } from '../../../projects/projects/projects.ts'
import { openConnection } from '../../connections/connections.ts'
import { callbackBase, callbackPath } from '../callback-url.ts'
import { connectionDeps, type EndpointOptions } from '../dependencies.ts'
import {
  countEndpoints,
  deleteEndpointRow,
  findEndpointRow,
  findOwnConnection,
  insertEndpoint,
} from '../queries.ts'
import { sealSecrets, secretsFor, secretWindow } from '../secrets.ts'
import {
  receiverDefinition,
  requireEvents,
  requireFields,
  requireFilter,
  requireReply,
  requireSessionKey,
} from '../validate.ts'
import { describeSetup, readEndpoint } from '../view/read-endpoints.ts'
import { register } from './register.ts'

/** Then a job completes a registration that this process left unfinished. */
const TAKEN_OVER_AFTER_MS = 120_000

/**
 * Stores the endpoint first, so events sent immediately are accepted and a job can repeat a registration after a lost
 * response.
 */
export async function createEndpoint(
  options: EndpointOptions,
  ctx: Context<'outbound' | 'vault'>,
  input: InputOf<typeof connectorEndpoints.create>,
) {
  const { orgId, userId } = ctx.caller
  const { id: connectionId } = input
  const connection =
    (await findOwnConnection(ctx.sql, orgId, userId, connectionId)) ?? raise(notFound('Connection'))
  const { slug } = connection
  const base = callbackBase(ctx, {
    publicUrl: options.publicUrl,
    override: options.connectors[slug]?.url ?? null,
  })
  const deps = connectionDeps(options, ctx)
  const { definition } = await openConnection(deps, orgId, connectionId)
  const receiver = receiverDefinition(definition)
  const project = await findProject(ctx, input.projectId, 'edit')
  const id = newId()
  const ref = { orgId, connectionId, slug }
  const { secrets, hasProofSecret } = await secretsFor(deps, ref, receiver, input.secret)
  const registersByApi = receiver.setup.by === 'api'
  const now = ctx.now()
  const endpoint = {
    id,
    connectionId,
    slug,
    name: input.name ?? (connection.label ? `${definition.name} (${connection.label})` : definition.name),
    projectId: project.id,
    agentId: await requireAgent(ctx, input.agentId),
    ownerId: userId,
    events: requireEvents(receiver, input.events),
    sessionKey: input.sessionKey === undefined ? receiver.sessionKey : requireSessionKey(input.sessionKey),
    reply: requireReply(receiver, input.reply, definition.name),
    filter: requireFilter(input.filter),
    fields: requireFields(receiver, input.fields),
    secretSealed: sealSecrets(ctx.vault, id, secrets),
    hasProofSecret,
    secretUntil: secretWindow(receiver, now),
    registration: registersByApi ? ('pending' as const) : ('by_hand' as const),
    dueAt: registersByApi ? new Date(now.getTime() + TAKEN_OVER_AFTER_MS) : null,
    now,
  }
  await ctx.transaction(async (inside) => {
    const count = (await countEndpoints(inside.sql, orgId, connectionId)) ?? raise(notFound('Connection'))
    if (count >= ENDPOINT_LIMITS.perOrganization)
      throw conflict(`An organization has at most ${ENDPOINT_LIMITS.perOrganization} endpoints`)
    await insertEndpoint(inside.sql, orgId, endpoint)
    await recordAudit(inside, {
      action: 'connector-endpoint.created',
      by: ctx.caller,
      target: id,
      details: { name: endpoint.name, connector: slug },
    })
  })
  if (registersByApi) await registerNew(options, ctx, id, base, definition.name)
  return {
    ...(await readEndpoint(options, ctx, id)),
    setup: describeSetup(receiver, { url: base + callbackPath(slug, id), secret: secrets.generated }),
  }
}

/** Deletes an endpoint that the provider refuses. Without a response, registration happens later. */
async function registerNew(
  options: EndpointOptions,
  ctx: Context<'outbound' | 'vault'>,
  id: string,
  base: string,
  name: string,
) {
  const { orgId } = ctx.caller
  const row = (await findEndpointRow(ctx.sql, orgId, id)) ?? raise(notFound('Endpoint'))
  const result = await register(options, ctx, row, base, 'create')
  if (result.ok || !result.isFinal) return
  await deleteEndpointRow(ctx.sql, orgId, id)
  throw new ApiError('PROVIDER_ERROR', `${name} refuses the endpoint: ${result.error}`)
}

export async function requireAgent({ sql, caller }: Context, agentId: string): Promise<string> {
  const agent = await findAgent(sql, caller.orgId, agentId)
  if (!agent) throw badField('body.agentId', 'does not exist')
  if (agent.archivedAt) throw badField('body.agentId', 'is archived: unarchive it, or choose another one')
  return agent.id
}
