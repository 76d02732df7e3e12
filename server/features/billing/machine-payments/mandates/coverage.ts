import { APPROVAL_REASONS, type ApprovalReason } from '../../../../../contract/billing/payment-options.ts'
import type { Sql } from '../../../../database/database.ts'
import { toMicros } from '../../budgets/budgets.ts'
import type { ApprovalRequest } from '../approval-queries.ts'
import { findProvider } from '../provider.ts'
import { type Charge, inCurrency, type Payee } from '../records.ts'
import { type Holders, listCandidates, type MandateRow } from './mandate-queries.ts'

/** A named mandate is the only candidate. */
export function findCover(
  candidates: readonly MandateRow[],
  holders: Holders,
  charge: Charge,
  now: Date,
): { mandate: MandateRow } | ApprovalRequest {
  let firstGap: ApprovalRequest | null = null
  for (const mandate of candidates) {
    const gap = gapOf(mandate, holders, charge, now)
    if (!gap) return { mandate }
    firstGap ??= gap
  }
  return firstGap ?? needsApproval('no_mandate')
}

function gapOf(mandate: MandateRow, holders: Holders, charge: Charge, now: Date): ApprovalRequest | null {
  const { currency } = mandate
  if (!isHeldBy(mandate, holders))
    return needsApproval('no_mandate', 'The mandate belongs to another key, agent or project')
  if (mandate.revokedAt !== null) return needsApproval('mandate_revoked')
  if (mandate.expiresAt !== null && new Date(mandate.expiresAt) <= now)
    return needsApproval('mandate_expired')
  if (currency !== charge.currency) return needsApproval('currency', `The mandate is in ${currency}`)
  if (mandate.methods.length > 0 && !mandate.methods.includes(charge.method)) return needsApproval('method')
  if (mandate.payees.length > 0 && !mandate.payees.includes(identifierOf(charge.payee) ?? ''))
    return needsApproval('payee')
  const amount = toMicros(charge.amount)
  const isOver = (spent: string, limit: string | null) =>
    limit !== null && toMicros(spent) + amount > toMicros(limit)
  if (isOver('0', mandate.perPayment)) return overLimit('per_payment', mandate.perPayment, currency)
  if (isOver(mandate.spentToday, mandate.perDay)) return overLimit('per_day', mandate.perDay!, currency)
  return isOver(mandate.spent, mandate.total) ? overLimit('total', mandate.total!, currency) : null
}

const isHeldBy = ({ holder, holderId }: MandateRow, { keyId, agentId, projectId }: Holders) =>
  holderId === { key: keyId, agent: agentId, project: projectId }[holder]

/** A mandate that lists a name must not pay another account under that name. */
function identifierOf(payee: Payee | null): string | null {
  if (!payee) return null
  if (payee.account !== null) return payee.account
  return payee.url === null ? payee.name : new URL(payee.url).host
}

const overLimit = (reason: ApprovalReason, limit: string, currency: string): ApprovalRequest =>
  needsApproval(reason, `${APPROVAL_REASONS[reason]}, ${inCurrency(limit, currency)} ${currency}`)

export const needsApproval = (
  reason: ApprovalReason,
  message: string = APPROVAL_REASONS[reason],
): ApprovalRequest => ({
  reason,
  message,
})

type RequestedPayment = Pick<Charge, 'amount' | 'currency' | 'payee'> & {
  method?: Charge['method'] | undefined
  mandateId?: string | undefined
}

/** Preliminary: the payment checks again with the mandate locked. */
export async function isCovered(
  sql: Sql,
  run: Holders & { trust: string },
  { method, mandateId, ...charge }: RequestedPayment,
  now: Date,
): Promise<boolean> {
  if (run.trust !== 'trusted') return false
  const chosen = method ?? ((await findProvider(sql, run.orgId)) ? 'stripe' : 'record')
  const candidates = await listCandidates(sql, run, { mandateId, now, lock: false })
  return 'mandate' in findCover(candidates, run, { ...charge, method: chosen }, now)
}
