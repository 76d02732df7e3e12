import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { telephony } from '../../../../contract/telephony/telephony.ts'
import { TELEPHONY_LIMITS } from '../../../../contract/telephony/telephony-options.ts'
import type { Context } from '../../../context.ts'
import { listUsable } from '../../connections/connections/connections.ts'
import { presentCall } from '../calls/present-call.ts'
import { listCalls } from '../calls/view-queries.ts'
import type { TelephonyOptions } from '../dependencies.ts'
import { presentNumber } from '../numbers/read-numbers.ts'
import { listNumbers } from '../numbers/read-queries.ts'
import { mayUseServerAccount } from '../numbers/server-account.ts'
import { shownBase } from '../numbers/webhooks.ts'
import { presentRule } from '../routing/present-rule.ts'
import { listRules } from '../routing/rule-queries.ts'
import { listPausedProblems } from '../sms/view/paused-conversations.ts'
import { readDays, readLastDay } from './day-queries.ts'
import { listSources } from './problem-queries.ts'
import { problemsOf } from './problems.ts'
import { firstDay } from './sum-days.ts'

const RECENT_MAX = 20
const ACTIVE_MAX = 100

/** Runs ten statements, whose cost depends on the count of phone numbers and projects, not of calls and messages. */
export async function readOverview(
  options: TelephonyOptions,
  ctx: Context,
): Promise<OutputOf<typeof telephony.overview>> {
  const { sql, caller } = ctx
  const { orgId, userId } = caller
  const now = ctx.now()
  const [
    canUseServerAccount,
    connections,
    numberRows,
    openCalls,
    recentCalls,
    lastDay,
    days,
    ruleRows,
    sources,
    pausedProblems,
  ] = await Promise.all([
    mayUseServerAccount(options, ctx),
    listUsable(sql, orgId, { userId, projectId: null, slugs: ['twilio'] }),
    listNumbers(sql, caller, { before: null, limit: TELEPHONY_LIMITS.numbersPerOrganization }),
    listCalls(sql, caller, { isOpen: true }, { before: null, limit: ACTIVE_MAX }),
    listCalls(sql, caller, {}, { before: null, limit: RECENT_MAX }),
    readLastDay(sql, caller, now),
    readDays(sql, caller, firstDay(now)),
    listRules(sql, orgId),
    listSources(sql, orgId),
    listPausedProblems(sql, caller),
  ])
  const base = shownBase(options, ctx)
  const numbers = numberRows.map((row) => presentNumber(base, row))
  const visibleSources = sources.filter(
    ({ id, isNumber }) => !isNumber || numbers.some((number) => number.id === id),
  )
  const { calls, missed, received, sent, failed } = lastDay
  return {
    configured: canUseServerAccount || connections.some(({ status }) => status === 'active'),
    numbers,
    activeCalls: openCalls.map(presentCall),
    recentCalls: recentCalls.map(presentCall),
    lastDay: { calls, missed, received, sent, failed },
    days: [...days],
    problems: [
      ...problemsOf({ numbers, rules: ruleRows.map(presentRule), sources: visibleSources, lastDay }),
      ...pausedProblems,
    ],
  }
}
