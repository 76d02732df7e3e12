import type { InputOf } from '../../../../contract/endpoint.ts'
import type { organization } from '../../../../contract/organizations/organization.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import { reply } from '../../../endpoint/route.ts'
import { notFound, raise, stale } from '../../../errors.ts'
import { lockOrganization } from '../membership/membership.ts'
import * as queries from './queries.ts'

export async function readOrganization(ctx: Context) {
  return present(
    (await queries.findOrganization(ctx.sql, ctx.caller.orgId)) ?? raise(notFound('Organization')),
  )
}

export async function renameOrganization(
  ctx: Context,
  { name, ifMatch }: InputOf<typeof organization.update>,
) {
  return ctx.transaction(async (inside) => {
    await lockOrganization(inside, 'admin')
    const change = { name, version: ifMatch, now: ctx.now() }
    const row = (await queries.updateName(inside.sql, ctx.caller.orgId, change)) ?? raise(stale())
    await recordAudit(inside, { action: 'organization.updated', by: ctx.caller, details: { name } })
    return present(row)
  })
}

const present = ({ version, ...row }: queries.OrganizationRow) => reply(row, { version })
