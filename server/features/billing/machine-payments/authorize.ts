import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { badField } from '../../../errors.ts'
import { type AmountRefusal, describeBudget, reserveAmount } from '../budgets/budgets.ts'
import type { ApprovalRequest } from './approval-queries.ts'
import { findCover, needsApproval } from './mandates/coverage.ts'
import { listCandidates } from './mandates/mandate-queries.ts'
import type { Payer } from './payer.ts'
import type { Charge } from './records.ts'

export type Authorization = { mandateId: string } | { approvalId: string } | ApprovalRequest

/** Mandates cover only runs that have read nothing untrusted. */
export async function authorize(
  { sql, now }: Pick<Context, 'sql' | 'now'>,
  payer: Payer,
  charge: Charge,
  { mandateId, lock }: { mandateId?: string | undefined; lock: boolean },
): Promise<Authorization> {
  if (payer.callApprovalId !== null) return { approvalId: payer.callApprovalId }
  const candidates = await listCandidates(sql, payer, { mandateId, now: now(), lock })
  if (mandateId !== undefined && candidates.length === 0)
    throw badField('body.mandateId', 'names no mandate in this organization')
  if (!payer.isTrusted) return needsApproval('untrusted_run')
  const found = findCover(candidates, payer, charge, now())
  return 'mandate' in found ? { mandateId: found.mandate.id } : found
}

export async function reserve(
  sql: Sql,
  payer: Pick<Payer, 'orgId' | 'projectId' | 'agentId' | 'createdBy' | 'keyId' | 'runId'>,
  { id, amount, currency }: { id: string; amount: string; currency: string },
  now: Date,
): Promise<AmountRefusal | null> {
  const planned = { id, amount: currency === 'usd' ? amount : null }
  return (await reserveAmount(sql, { ...payer, id: payer.runId }, planned, now)).refusal
}

export const describeRefusal = (refusal: AmountRefusal, currency: string): string =>
  currency === 'usd'
    ? `${describeBudget(refusal)} does not allow the payment`
    : `${describeBudget(refusal)} cannot count a payment in ${currency}`
