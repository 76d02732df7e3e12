import type { Context } from '../../../context.ts'
import { badField } from '../../../errors.ts'

const DAY_MS = 86_400_000
const DAYS_DEFAULT = 30
const DAYS_MAX = 366

export interface UsageFilter {
  from: string
  to: string
  projectId?: string | undefined
  agentId?: string | undefined
  model?: string | undefined
  userId?: string | undefined
  keyId?: string | undefined
}

/** The days and filters of a call. Members see only their own usage. */
export function filterOf(
  { caller, now }: Pick<Context, 'caller' | 'now'>,
  input: Partial<UsageFilter>,
): UsageFilter & { isOwn: boolean } {
  const to = input.to ?? dayOf(now())
  const from = input.from ?? dayOf(new Date(Date.parse(to) - (DAYS_DEFAULT - 1) * DAY_MS))
  if (from > to) throw badField('query.from', 'must not be after `to`')
  if ((Date.parse(to) - Date.parse(from)) / DAY_MS >= DAYS_MAX)
    throw badField('query.from', `must be at most ${DAYS_MAX} days before the end of the range`)
  const isOwn = caller.role === 'member'
  const { projectId, agentId, model, keyId } = input
  const userId = isOwn ? caller.userId : input.userId
  return { from, to, projectId, agentId, model, keyId, userId, isOwn }
}

const dayOf = (time: Date) => time.toISOString().slice(0, 10)
