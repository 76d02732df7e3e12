import type { connectorEndpoints } from '../../../../../contract/connections/connector-endpoints.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import { recordAudit } from '../../../../audit/record.ts'
import type { Context } from '../../../../context.ts'
import { ApiError, badField, forbidden, notFound, raise } from '../../../../errors.ts'
import { findProject } from '../../../projects/projects/projects.ts'
import { findDefinition } from '../../connectors/connectors.ts'
import { callbackBase } from '../callback-url.ts'
import { connectionDeps, type EndpointOptions } from '../dependencies.ts'
import {
  clearRegistration,
  type EndpointRow,
  findEndpointRow,
  forgetProofSecret,
  lockEndpoint,
  openSecretWindow,
  updateDeleted,
  updateSettings,
} from '../queries.ts'
import { wakeEventWorkers } from '../receive/receive-queries.ts'
import { openSecrets, sealSecrets, secretsFor, secretWindow, sendsSecret } from '../secrets.ts'
import {
  receiverDefinition,
  requireEvents,
  requireFields,
  requireFilter,
  requireReply,
  requireSessionKey,
} from '../validate.ts'
import { readEndpoint, requireVisible } from '../view/read-endpoints.ts'
import { requireAgent } from './create.ts'
import { register, unregister } from './register.ts'
import { endpointDeleted } from './remove-revoked.ts'

type Change = InputOf<typeof connectorEndpoints.update>

/** Only the owner may change the action, because it runs with their permissions. */
export async function updateEndpoint(
  options: EndpointOptions,
  ctx: Context<'outbound' | 'vault'>,
  input: Change,
) {
  const { orgId } = ctx.caller
  const { id, ...changes } = input
  const row = await findEditable(ctx, id)
  const isPauseOnly = Object.entries(changes).every(([key, value]) => key === 'status' || value === undefined)
  if (row.ownerId !== ctx.caller.userId && !(isPauseOnly && changes.status === 'paused')) throw ownersOnly()
  const after = await applyChanges(options, ctx, row, changes)
  const needsProvider = changes.events !== undefined || changes.fields !== undefined
  await ctx.transaction(async (inside) => {
    const locked = (await lockEndpoint(inside.sql, orgId, id)) ?? raise(notFound('Endpoint'))
    // Keep a secret that the provider sent in the meantime.
    const secret =
      changes.secret === undefined
        ? { secretSealed: locked.secretSealed, hasProofSecret: locked.hasProofSecret }
        : {}
    await updateSettings(inside.sql, orgId, id, { ...after, ...secret }, ctx.now())
    if (changes.acceptSecret) await acceptSecret(inside, locked)
    await audit(inside, 'connector-endpoint.updated', row)
    if (after.status === 'active') wakeEventWorkers(inside.sql)
  })
  if (needsProvider && row.registration !== 'by_hand') await registerAgain(options, ctx, row, after)
  return readEndpoint(options, ctx, id)
}

async function acceptSecret(
  ctx: Context<'vault'>,
  { orgId, id, slug, secretSealed }: EndpointRow,
): Promise<void> {
  const { proof, setup } = receiverDefinition(
    (await findDefinition(ctx.sql, orgId, slug)) ?? raise(notFound('Connector')),
  )
  const until = setup.by === 'hand' ? secretWindow({ proof }, ctx.now()) : null
  const secrets = openSecrets(ctx.vault, id, secretSealed)
  if (!until || !secrets)
    throw badField('body.acceptSecret', 'must be absent: this endpoint’s provider sends no secret by itself')
  await forgetProofSecret(ctx.sql, orgId, id, sealSecrets(ctx.vault, id, { ...secrets, proof: null }))
  await openSecretWindow(ctx.sql, orgId, id, until)
}

/** First removes a registration that can't be changed or has other fields. */
async function registerAgain(
  options: EndpointOptions,
  ctx: Context<'outbound' | 'vault'>,
  before: EndpointRow,
  after: EndpointRow,
) {
  const { orgId, id, slug } = before
  const definition = await findDefinition(ctx.sql, orgId, slug)
  const { setup, proof } = receiverDefinition(definition ?? raise(notFound('Connector')))
  const hasOtherFields = JSON.stringify(before.fields) !== JSON.stringify(after.fields)
  if (setup.by === 'api' && (hasOtherFields || !setup.update) && Object.keys(before.kept).length > 0) {
    await unregister(options, ctx, before).catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error
    })
    await clearRegistration(ctx.sql, orgId, id, { forgetsSecret: sendsSecret(proof) })
  }
  const override = options.connectors[slug]?.url ?? null
  const current = (await findEndpointRow(ctx.sql, orgId, id)) ?? raise(notFound('Endpoint'))
  await register(
    options,
    ctx,
    current,
    callbackBase(ctx, { publicUrl: options.publicUrl, override }),
    'change',
  )
}

async function applyChanges(
  options: EndpointOptions,
  ctx: Context<'outbound' | 'vault'>,
  row: EndpointRow,
  change: Omit<Change, 'id'>,
): Promise<EndpointRow> {
  const definition = (await findDefinition(ctx.sql, row.orgId, row.slug)) ?? raise(notFound('Connector'))
  const receiver = receiverDefinition(definition)
  const { status = row.status, name = row.name } = change
  const secrets =
    change.secret === undefined
      ? {}
      : await sealSecret(ctx, row, () =>
          secretsFor(
            connectionDeps(options, ctx),
            row,
            receiver,
            change.secret,
            openSecrets(ctx.vault, row.id, row.secretSealed) ?? undefined,
          ),
        )
  return {
    ...row,
    ...secrets,
    name,
    status,
    pausedReason: status === 'active' ? null : (row.pausedReason ?? 'by_person'),
    agentId: change.agentId === undefined ? row.agentId : await requireAgent(ctx, change.agentId),
    projectId:
      change.projectId === undefined ? row.projectId : (await findProject(ctx, change.projectId, 'edit')).id,
    events: change.events === undefined ? row.events : requireEvents(receiver, change.events),
    sessionKey: change.sessionKey === undefined ? row.sessionKey : requireSessionKey(change.sessionKey),
    reply: change.reply === undefined ? row.reply : requireReply(receiver, change.reply, definition.name),
    filter: change.filter === undefined ? row.filter : requireFilter(change.filter),
    fields: change.fields === undefined ? row.fields : requireFields(receiver, change.fields),
  }
}

async function sealSecret(
  ctx: Context<'vault'>,
  { id }: EndpointRow,
  make: () => ReturnType<typeof secretsFor>,
) {
  const { secrets, hasProofSecret } = await make()
  return { secretSealed: sealSecrets(ctx.vault, id, secrets), hasProofSecret }
}

export const deleteEndpoint = async (ctx: Context, { id }: InputOf<typeof connectorEndpoints.remove>) => {
  const row = await findEditable(ctx, id)
  if (row.ownerId !== ctx.caller.userId && ctx.caller.role === 'member') throw ownersOnly()
  await ctx.transaction(async (inside) => {
    if (!(await updateDeleted(inside.sql, row.orgId, id, ctx.now()))) throw notFound('Endpoint')
    await inside.enqueue(endpointDeleted, { orgId: row.orgId, id })
    await audit(inside, 'connector-endpoint.deleted', row)
  })
  return { deleted: true as const }
}

async function findEditable(ctx: Context, id: string): Promise<EndpointRow> {
  await requireVisible(ctx, id)
  const row = await findEndpointRow(ctx.sql, ctx.caller.orgId, id)
  if (!row || row.isDeleted) throw notFound('Endpoint')
  if (row.ownerId !== ctx.caller.userId && ctx.caller.role === 'member') throw ownersOnly()
  return row
}

const ownersOnly = () =>
  forbidden('Only this endpoint’s owner can change it; admins can pause and delete it', {
    reason: 'not_the_owner',
  })

const audit = (
  ctx: Context,
  action: 'connector-endpoint.updated' | 'connector-endpoint.deleted',
  { id, name, slug }: EndpointRow,
) => recordAudit(ctx, { action, by: ctx.caller, target: id, details: { name, connector: slug } })
