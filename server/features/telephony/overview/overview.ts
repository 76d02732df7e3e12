import type { OutputOf } from '../../../../contract/endpoint.ts'
import { telephony as contract, type telephony } from '../../../../contract/telephony/telephony.ts'
import { TELEPHONY_LIMITS } from '../../../../contract/telephony/telephony-options.ts'
import type { Context } from '../../../context.ts'
import { handle } from '../../../endpoint/route.ts'
import { onJob } from '../../../jobs/job-handler.ts'
import { listUsable } from '../../connections/connections/connections.ts'
import { listCallRows, presentCall } from '../calls/read-calls.ts'
import type { Part, TelephonyOptions } from '../dependencies.ts'
import { mayUseServerAccount } from '../numbers/choose-account.ts'
import { listNumbers } from '../numbers/queries.ts'
import { presentNumber } from '../numbers/read-numbers.ts'
import { shownBase } from '../numbers/webhooks.ts'
import { presentRule } from '../routing/rule.ts'
import { listRules } from '../routing/rule-queries.ts'
import { listPausedProblems } from '../sms/conversations.ts'
import { firstDay, readDays, readLastDay, sumDays, sumDaysJob } from './days.ts'
import { listSources, listTelephonyProblems } from './problems.ts'

export const overviewPart = (options: TelephonyOptions): Part => ({
  routes: [handle(contract.overview, (ctx) => readOverview(options, ctx))],
  jobs: [onJob(sumDaysJob, sumDays)],
  schedules: [{ job: sumDaysJob, cron: '17 6 * * *' }],
})

const RECENT_MAX = 20
const ACTIVE_MAX = 100

/** The cost depends on phone numbers and projects, not on calls and messages. */
async function readOverview(
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
    listCallRows(sql, caller, { isOpen: true }, { before: null, limit: ACTIVE_MAX }),
    listCallRows(sql, caller, {}, { before: null, limit: RECENT_MAX }),
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
      ...listTelephonyProblems({
        numbers,
        rules: ruleRows.map(presentRule),
        sources: visibleSources,
        lastDay,
      }),
      ...pausedProblems,
    ],
  }
}
