import type { InputOf } from '../../../../contract/endpoint.ts'
import type { phoneNumbers } from '../../../../contract/telephony/phone-numbers.ts'
import { TELEPHONY_LIMITS } from '../../../../contract/telephony/telephony-options.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import { reply } from '../../../endpoint/route.ts'
import { ApiError, conflict, notFound, raise } from '../../../errors.ts'
import { newId } from '../../../security/ids.ts'
import { createProject, findProject } from '../../projects/projects/projects.ts'
import { publicBase } from '../carrier/urls.ts'
import type { TelephonyOptions } from '../dependencies.ts'
import { findOwningAccount, type OwningAccount } from './choose-account.ts'
import {
  findInUse,
  findNewestProject,
  findNumber,
  insertNumber,
  lockNumbers,
  moveOptOuts,
  updateAccount,
} from './queries.ts'
import { readNumber } from './read-numbers.ts'
import { refreshNumber } from './refresh-number.ts'
import { shownBase } from './webhooks.ts'

type Input = InputOf<typeof phoneNumbers.import>

/**
 * Stores the number before setting its URLs, so the first call is accepted. If the process is killed in between, the
 * hourly check sets them. A repeated import uses the named account. Without one, a broken number gets an account that
 * owns it.
 */
export async function importNumber(
  options: TelephonyOptions,
  ctx: Context<'outbound' | 'quotas' | 'vault'>,
  input: Input,
) {
  const { orgId } = ctx.caller
  const { phoneNumber: e164, connectionId } = input
  const base = input.configureWebhooks ? publicBase(options, ctx) : shownBase(options, ctx)
  const existing = await findInUse(ctx.sql, orgId, e164)
  const isSameAccount = connectionId === undefined || connectionId === existing?.connectionId
  if (existing?.status === 'active' && isSameAccount)
    return reply(await readNumber(options, ctx, existing.id), { status: 200 })
  const project = input.projectId === undefined ? null : await findProject(ctx, input.projectId, 'edit')
  const owner = await findOwningAccount(options, ctx, { e164, connectionId, projectId: project?.id ?? null })
  const { id, isNew } = await ctx.transaction((inside) => store(inside, input, owner, project?.id ?? null))
  const row = (await findNumber(ctx.sql, orgId, id)) ?? raise(notFound('Phone number'))
  await refreshNumber(options, ctx, row, { base, setsUrls: input.configureWebhooks })
  return reply(await readNumber(options, ctx, id), { status: isNew ? 201 : 200 })
}

async function store(
  ctx: Context<'quotas'>,
  input: Input,
  { connectionId, carrier, owned }: OwningAccount,
  projectId: string | null,
): Promise<{ id: string; isNew: boolean }> {
  const { orgId, userId: ownerId } = ctx.caller
  const { phoneNumber: e164, provider, label = null, configureWebhooks: configuresUrls } = input
  const { providerId, capabilities } = owned
  const { accountId } = carrier
  const now = ctx.now()
  const count = await lockNumbers(ctx.sql, orgId)
  const existing = await findInUse(ctx.sql, orgId, e164)
  const id = existing?.id ?? newId()
  if (existing) {
    await updateAccount(ctx.sql, orgId, id, { connectionId, accountId, providerId, ownerId, now })
  } else {
    if (count >= TELEPHONY_LIMITS.numbersPerOrganization)
      throw conflict(`An organization has at most ${TELEPHONY_LIMITS.numbersPerOrganization} phone numbers`)
    const isInserted = await insertNumber(ctx.sql, orgId, {
      ...{
        id,
        e164,
        provider,
        providerId,
        accountId,
        connectionId,
        label,
        capabilities,
        configuresUrls,
        ownerId,
      },
      projectId: projectId ?? (await defaultProject(ctx)),
      now,
    })
    if (!isInserted) throw conflict('Another organization on this server uses the number')
    await moveOptOuts(ctx.sql, orgId, { id, e164 })
  }
  const details = { name: e164, provider }
  await recordAudit(ctx, { action: 'phone-number.imported', by: ctx.caller, target: id, details })
  return { id, isNew: !existing }
}

async function defaultProject(ctx: Context<'quotas'>): Promise<string> {
  const newest = await findNewestProject(ctx.sql, ctx.caller.orgId)
  if (newest !== null) {
    const project = await findProject(ctx, newest, 'edit').catch((error: unknown) => {
      if (error instanceof ApiError) return null
      throw error
    })
    if (project) return project.id
  }
  const fields = { description: null, prompt: null, emoji: null, tags: [], metadata: {} }
  const project = { ...fields, name: 'Telephony', visibility: 'team' } as const
  const { id } = await createProject(ctx, { ...project, publishes: true })
  return id
}
