import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { erasures } from '../../../../../contract/organizations/erasures.ts'
import { ERASURE_DAYS } from '../../../../../contract/organizations/lifecycle-options.ts'
import { recordAudit } from '../../../../audit/record.ts'
import type { Caller, Context, PublicContext } from '../../../../context.ts'
import { cursorPage, decodeCursor } from '../../../../database/cursor.ts'
import { badField, conflict, notFound, raise } from '../../../../errors.ts'
import { publishIn } from '../../../../events/publish.ts'
import type { Words } from '../../../../mail/words.ts'
import { newId } from '../../../../security/ids.ts'
import { lockOrganizationRow } from '../../membership/membership.ts'
import { close, reopen } from '../suspend.ts'
import * as queries from './erasure-queries.ts'

const DAY_MS = 86_400_000

type Deps = Pick<PublicContext<'suspensions'>, 'sql' | 'now' | 'origin' | 'transaction' | 'suspensions'>

interface Requester {
  userId: string | null
  via: Caller['via'] | 'system'
  byOperator: boolean
}

export const getErasure = async ({ sql, caller }: Context) => ({
  erasure: await queries.findOpenErasure(sql, caller.orgId),
})

export const requestErasure = (ctx: Context<'suspensions'>, { name }: InputOf<typeof erasures.request>) =>
  request(ctx, ctx.caller.orgId, name, asOwner(ctx))

export const cancelErasure = (ctx: Context<'suspensions'>) => cancel(ctx, ctx.caller.orgId, asOwner(ctx))

export const requestErasureAsOperator = (
  ctx: Context<'suspensions'>,
  { id, name }: InputOf<typeof erasures.requestOf>,
) => request(ctx, id, name, asOperator(ctx))

export const cancelErasureAsOperator = (
  ctx: Context<'suspensions'>,
  { id }: InputOf<typeof erasures.cancelOf>,
) => cancel(ctx, id, asOperator(ctx))

const asOwner = ({ caller: { userId, via } }: Context): Requester => ({ userId, via, byOperator: false })
const asOperator = ({ caller: { userId, via } }: Context): Requester => ({ userId, via, byOperator: true })

export async function listErasures(ctx: Context<'vault'>, { limit, cursor }: InputOf<typeof erasures.list>) {
  const before = decodeCursor(ctx.vault, 'erasures', cursor)
  const rows = await queries.listErasures(ctx.sql, { before, limit: limit + 1 })
  return cursorPage(ctx.vault, 'erasures', limit, rows, (row) => row)
}

/** `name` must be the organization's name, as confirmation. */
export async function request(ctx: Deps, orgId: string, name: string, by: Requester) {
  const now = ctx.now()
  const eraseAfter = new Date(now.getTime() + ERASURE_DAYS * DAY_MS)
  const id = newId()
  const erasure = await ctx.transaction(async (inside) => {
    const actual = (await lockOrganizationRow(inside.sql, orgId)) ?? raise(notFound('Organization'))
    if (name !== actual) throw badField('body.name', 'must be the organization’s name')
    if (await queries.findOpenErasure(inside.sql, orgId))
      throw conflict('The organization is already scheduled for erasure')
    await queries.insertErasure(inside.sql, orgId, {
      ...{ id, name: actual, eraseAfter, now },
      byOperator: by.byOperator,
      requestedBy: by.userId,
    })
    const details = { eraseAfter: eraseAfter.toISOString() }
    await recordAudit(inside, {
      action: 'organization.erasure-requested',
      by: { orgId, userId: by.userId, via: by.via },
      target: orgId,
      details,
    })
    const data = { organizationId: orgId, ...details }
    await publishIn(inside.sql, orgId, now, { type: 'organization.erasure.requested', data })
    const suspension = { kind: 'erasure', reason: 'Scheduled for erasure', by: by.userId } as const
    await close(inside, orgId, suspension, {
      id: `erasure-${id}`,
      write: (words) => erasureMail(words, actual, by, eraseAfter),
    })
    return (await queries.findErasure(inside.sql, orgId, id))!
  })
  await ctx.suspensions.refresh()
  return erasure
}

export async function cancel(ctx: Deps, orgId: string, by: Requester) {
  const now = ctx.now()
  const erasure = await ctx.transaction(async (inside) => {
    const name = (await lockOrganizationRow(inside.sql, orgId)) ?? raise(notFound('Organization'))
    const id = (await queries.updateCanceled(inside.sql, orgId, now)) ?? raise(notScheduled())
    await reopen(inside, orgId, 'erasure', {
      id: `erasure-${id}-undone`,
      write: ({ textWithNames }) => ({
        subject: textWithNames`${name} will not be erased`,
        text: by.byOperator
          ? textWithNames`A server operator canceled the erasure of the organization ${name}.`
          : textWithNames`An owner canceled the erasure of the organization ${name}.`,
      }),
    })
    await recordAudit(inside, {
      action: 'organization.erasure-canceled',
      by: { orgId, userId: by.userId, via: by.via },
      target: orgId,
    })
    const data = { organizationId: orgId }
    await publishIn(inside.sql, orgId, now, { type: 'organization.erasure.canceled', data })
    return (await queries.findErasure(inside.sql, orgId, id))!
  })
  await ctx.suspensions.refresh()
  return erasure
}

function erasureMail(words: Words, name: string, { byOperator }: Requester, eraseAfter: Date) {
  const { t, textWithNames, day, time } = words
  return {
    subject: textWithNames`${name} will be erased`,
    text: [
      byOperator
        ? textWithNames`A server operator asked to erase the organization ${name}.`
        : textWithNames`An owner asked to erase the organization ${name}.`,
      t`It is closed now. On ${day(eraseAfter)} at ${time(eraseAfter)} UTC, everything in it will be permanently deleted.`,
      byOperator
        ? t`Until then, an operator or an owner can cancel the erasure in the dashboard.`
        : t`Until then, every owner can cancel the erasure in the dashboard.`,
    ].join('\n\n'),
  }
}

const notScheduled = () => conflict('The organization is not scheduled for erasure, or its erasure has begun')
