import type { InputOf } from '../../../../contract/endpoint.ts'
import type { organizationExports } from '../../../../contract/organizations/exports.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import { conflict, notFound, raise } from '../../../errors.ts'
import { addJob } from '../../../jobs/job.ts'
import { newId } from '../../../security/ids.ts'
import { findOrganization } from './archive-queries.ts'
import { findExport, insertExport } from './export-queries.ts'
import { makeExport } from './jobs.ts'

export const createExport = (ctx: Context) => create(ctx, ctx.caller.orgId, false)

export const createExportOf = (ctx: Context, { id }: InputOf<typeof organizationExports.createOf>) =>
  create(ctx, id, true)

/** The audit entry belongs to the organization, whose admins see who exported its data. */
const create = (ctx: Context, orgId: string, byOperator: boolean) =>
  ctx.transaction(async (inside) => {
    const { sql } = inside
    const { userId, via } = ctx.caller
    const id = newId()
    const isNew = await insertExport(sql, orgId, { id, requestedBy: userId, byOperator, now: ctx.now() })
    if (!isNew)
      throw (await findOrganization(sql, orgId))
        ? conflict('Another export of this organization is in progress')
        : notFound('Organization')
    await recordAudit(inside, {
      action: 'organization.export-requested',
      by: { orgId, userId, via },
      target: orgId,
    })
    // Not as a job of the organization, which may be suspended.
    await sql`select ${addJob(sql, makeExport, { exportId: id, subjectId: orgId })}`
    return (await findExport(sql, orgId, id)) ?? raise(notFound('Export'))
  })
