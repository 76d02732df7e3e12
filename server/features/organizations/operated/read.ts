import type { InputOf } from '../../../../contract/endpoint.ts'
import type { operatedOrganizations } from '../../../../contract/organizations/operated.ts'
import type { Context } from '../../../context.ts'
import { notFound, raise } from '../../../errors.ts'
import { findOpenErasure } from '../erasures/erasures.ts'
import { findSuspension, listOwners } from '../suspensions/suspensions.ts'
import { updateFigures } from './figure-queries.ts'
import { present } from './list.ts'
import { findRow } from './organization-queries.ts'

const OWNERS_SHOWN_MAX = 20

export const getOrganization = (ctx: Context, { id }: InputOf<typeof operatedOrganizations.get>) =>
  readOrganization(ctx, id)

/** Counts the usage again, so that the numbers are current. */
export async function readOrganization(ctx: Pick<Context, 'sql' | 'now' | 'quotas'>, id: string) {
  const { sql, now } = ctx
  await updateFigures(sql, id, now())
  const row = (await findRow(sql, id)) ?? raise(notFound('Organization'))
  const [owners, suspension, erasure] = await Promise.all([
    listOwners(sql, id, OWNERS_SHOWN_MAX),
    findSuspension(sql, id),
    findOpenErasure(sql, id),
  ])
  return { ...present(ctx, row), owners: [...owners], suspension, erasure }
}
