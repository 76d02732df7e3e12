import type { InputOf } from '../../../../contract/endpoint.ts'
import { operatedOrganizations as endpoints } from '../../../../contract/organizations/operated.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Caller, Context, PublicContext } from '../../../context.ts'
import { decodeCursor, encodeCursor } from '../../../database/cursor.ts'
import { handle } from '../../../endpoint/route.ts'
import { conflict, notFound, raise } from '../../../errors.ts'
import { publishIn } from '../../../events/publish.ts'
import type { Feature } from '../../../feature.ts'
import { close, findOpenErasure, findSuspension, listOwners, reopen } from '../lifecycle/lifecycle.ts'
import { lockOrganizationRow } from '../membership/membership.ts'
import { figureJobs, figureSchedules, updateFigures } from './figures.ts'
import { findRow, listRows, type OrganizationRow, type Position } from './queries.ts'

export { listRows } from './queries.ts'

/** Lists all organizations for operators, who can suspend and resume them. */
export const operatedOrganizations: Feature = {
  routes: [
    handle(endpoints.list, listOrganizations),
    handle(endpoints.get, getOrganization),
    handle(endpoints.suspend, suspendOrganization),
    handle(endpoints.resume, resumeOrganization),
  ],
  jobs: figureJobs,
  schedules: figureSchedules,
}

async function listOrganizations(ctx: Context<'quotas' | 'vault'>, input: InputOf<typeof endpoints.list>) {
  const { search, status, sort, limit, cursor } = input
  const list = `operated organizations ${JSON.stringify([search, status, sort])}`
  const after = positionOf(decodeCursor(ctx.vault, list, cursor))
  const rows = await listRows(ctx.sql, { search, status, sort, after, limit: limit + 1 })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const hasMore = rows.length > limit && last
  return {
    items: page.map((row) => present(ctx, row)),
    nextCursor: hasMore ? encodeCursor(ctx.vault, list, JSON.stringify([last.key, last.id])) : null,
  }
}

function positionOf(text: string | null): Position | null {
  if (text === null) return null
  const [key, id] = JSON.parse(text) as [string, string]
  return { key, id }
}

function present({ quotas }: Pick<Context<'quotas'>, 'quotas'>, row: OrganizationRow) {
  const allowed = quotas.limitsOf(row.overrides)
  const { members, runs, spend, activeAt, countedAt } = row
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    usage: {
      members,
      projects: { used: row.projects, allowed: allowed.projects },
      files: { used: row.files, allowed: allowed.files },
      storage: { used: row.storage, allowed: allowed.storage },
      runs,
      spend,
      activeAt,
      countedAt,
    },
    overrideCount: Object.keys(row.overrides).length,
    createdAt: row.createdAt,
  }
}

const OWNERS_SHOWN_MAX = 20

function getOrganization(ctx: Context<'quotas'>, { id }: InputOf<typeof endpoints.get>) {
  return readOrganization(ctx, id)
}

async function readOrganization(ctx: Pick<Context<'quotas'>, 'sql' | 'now' | 'quotas'>, id: string) {
  const { sql, now } = ctx
  await updateFigures(sql, id, now())
  const row = (await findRow(sql, id)) ?? raise(notFound('Organization'))
  const [owners, suspension, erasure] = await Promise.all([
    listOwners(sql, id, OWNERS_SHOWN_MAX),
    findSuspension(sql, id),
    findOpenErasure(sql, id),
  ])
  return {
    ...present(ctx, row),
    owners: owners.map(({ id, name, email }) => ({ id, name, email })),
    suspension,
    erasure,
  }
}

type Deps = Pick<PublicContext<'suspensions'>, 'sql' | 'now' | 'origin' | 'transaction' | 'suspensions'>

interface Operator {
  userId: string | null
  via: Caller['via'] | 'system'
}

async function suspendOrganization(
  ctx: Context<'quotas' | 'suspensions'>,
  { id, reason }: InputOf<typeof endpoints.suspend>,
) {
  await suspend(ctx, id, { reason, by: ctx.caller })
  return readOrganization(ctx, id)
}

async function resumeOrganization(
  ctx: Context<'quotas' | 'suspensions'>,
  { id }: InputOf<typeof endpoints.resume>,
) {
  await resume(ctx, id, ctx.caller)
  return readOrganization(ctx, id)
}

export async function suspend(
  ctx: Deps,
  orgId: string,
  { reason, by }: { reason: string; by: Operator },
): Promise<void> {
  await ctx.transaction(async (inside) => {
    const name = (await lockOrganizationRow(inside.sql, orgId)) ?? raise(notFound('Organization'))
    const now = ctx.now()
    await recordAudit(inside, {
      action: 'organization.suspended',
      by: { orgId, userId: by.userId, via: by.via },
      target: orgId,
      details: { reason },
    })
    await publishIn(inside.sql, orgId, now, {
      type: 'organization.suspended',
      data: { organizationId: orgId },
    })
    await close(
      inside,
      orgId,
      { kind: 'operator', reason, by: by.userId },
      {
        id: `suspended-${orgId}-${now.getTime()}`,
        write: ({ t, textWithNames }) => ({
          subject: textWithNames`${name} was suspended`,
          text: [
            textWithNames`A server operator suspended the organization ${name}.`,
            t`Reason: ${reason}`,
            t`Members, API keys and share links have no access until it is resumed. Runs, schedules and deliveries wait. No data is deleted.`,
          ].join('\n\n'),
        }),
      },
    )
  })
  await ctx.suspensions.refresh()
}

export async function resume(ctx: Deps, orgId: string, by: Operator): Promise<void> {
  await ctx.transaction(async (inside) => {
    const name = (await lockOrganizationRow(inside.sql, orgId)) ?? raise(notFound('Organization'))
    const now = ctx.now()
    const isReopened = await reopen(inside, orgId, 'operator', {
      id: `resumed-${orgId}-${now.getTime()}`,
      write: ({ textWithNames }) => ({
        subject: textWithNames`${name} was resumed`,
        text: textWithNames`A server operator resumed the organization ${name}. Pending work continues.`,
      }),
    })
    if (!isReopened) throw conflict('The organization is not suspended')
    await recordAudit(inside, {
      action: 'organization.resumed',
      by: { orgId, userId: by.userId, via: by.via },
      target: orgId,
    })
    await publishIn(inside.sql, orgId, now, { type: 'organization.resumed', data: { organizationId: orgId } })
  })
  await ctx.suspensions.refresh()
}
