import type { PublicContext } from '../../../context.ts'
import { ApiError } from '../../../errors.ts'
import { isOnlyOrganizationOfOperator } from '../../accounts/accounts/accounts.ts'
import { postponeDeadlines } from '../../agents/runs/runs.ts'
import { mailOwners, type OwnersMail } from './mail-owners.ts'
import {
  deleteSuspension,
  insertSuspension,
  lockSuspensions,
  type NewSuspension,
  notifySuspensions,
} from './queries.ts'

export { findSuspension, listOwners } from './queries.ts'

type Inside = Pick<PublicContext, 'sql' | 'now'>

/**
 * Closes an organization, on the transaction of its cause. Nothing is stopped here: calls are refused by `permit`, and
 * workers claim nothing of it. Every process is notified with the commit; call `suspensions.refresh` after the commit,
 * so that this process applies it before the caller gets the response.
 */
export async function close(
  inside: Inside,
  orgId: string,
  suspension: Omit<NewSuspension, 'now'>,
  mail: OwnersMail,
): Promise<void> {
  if (await isOnlyOrganizationOfOperator(inside.sql, orgId)) throw operatorOrganization()
  await insertSuspension(inside.sql, orgId, { ...suspension, now: inside.now() })
  await mailOwners(inside, orgId, mail)
  await notifySuspensions(inside.sql, orgId)
}

/** Reopens an organization, unless it is also closed for another reason. False if it was not closed for this reason. */
export async function reopen(
  inside: Inside,
  orgId: string,
  kind: NewSuspension['kind'],
  mail: OwnersMail,
): Promise<boolean> {
  const suspensions = await lockSuspensions(inside.sql, orgId)
  const ended = suspensions.find((suspension) => suspension.kind === kind)
  if (!ended) return false
  await deleteSuspension(inside.sql, orgId, kind)
  // The time since the start of another suspension counts when the other suspension ends.
  const other = suspensions.find((suspension) => suspension !== ended)
  const [since, until] = [new Date(ended.since), other ? new Date(other.since) : inside.now()]
  if (since < until) await postponeDeadlines(inside.sql, orgId, since, until)
  await mailOwners(inside, orgId, mail)
  await notifySuspensions(inside.sql, orgId)
  return true
}

const operatorOrganization = () =>
  new ApiError('CONFLICT', 'This is the only active organization of an operator of this server', {
    details: { reason: 'operator_organization' },
  })
