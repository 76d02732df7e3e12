import type { InputOf } from '../../../../contract/endpoint.ts'
import type { operations } from '../../../../contract/organizations/operations.ts'
import type { Context } from '../../../context.ts'
import { notFound, raise } from '../../../errors.ts'
import * as queries from './queries.ts'

const JOBS_SHOWN_MAX = 100

export async function listJobs(ctx: Context) {
  return { items: [...(await queries.listJobs(ctx.sql, JOBS_SHOWN_MAX))] }
}

export function retryJob(ctx: Context, { id }: InputOf<typeof operations.retryJob>) {
  return ctx.transaction(async ({ sql }) => {
    if (!(await queries.reviveJob(sql, id))) throw notFound('Dead job')
    return (await queries.findJob(sql, id)) ?? raise(notFound('Dead job'))
  })
}

export async function discardJob(ctx: Context, { id }: InputOf<typeof operations.discardJob>) {
  if (!(await queries.deleteDeadJob(ctx.sql, id))) throw notFound('Dead job')
  return { discarded: true as const }
}
