import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { home } from '../../../../contract/home/home.ts'
import type { Context } from '../../../context.ts'
import { liveRunCount, openApprovalCount } from '../../agents/runs/runs.ts'
import { pausedBudgetCount } from '../../billing/budgets/budgets.ts'
import { waitingPaymentCount } from '../../billing/machine-payments/machine-payments.ts'
import { countUnreadNews } from '../../comments/notifications/notifications.ts'
import { expiredCount } from '../../connections/connections/connections.ts'
import { decidableMemoryCount } from '../../knowledge/memory/memory.ts'
import { hasNumber } from '../../telephony/telephony.ts'

const COUNT_MAX = 100

/** Few statements, since each open dashboard asks every few seconds. */
export async function readCounts({ sql, caller, now }: Context): Promise<OutputOf<typeof home.counts>> {
  const { orgId, userId, role } = caller
  const payments = role === 'member' ? sql`0` : waitingPaymentCount(sql, orgId)
  const [{ unread, news }, [runs], [decisions], [others]] = await Promise.all([
    countUnreadNews(sql, caller),
    sql<[{ live: number }]>`select ${liveRunCount(sql, caller)} as live`,
    sql<[{ decisions: number }]>`
      select least(${openApprovalCount(sql, caller)} + ${expiredCount(sql, orgId, userId)} + ${payments}, ${COUNT_MAX}::int) as decisions`,
    sql<[{ memory: number; budgets: number; phone: boolean }]>`
      select ${decidableMemoryCount(sql, caller)} as memory,
        least(${pausedBudgetCount(sql, caller, now())}, ${COUNT_MAX}::int) as budgets, ${hasNumber(sql, orgId)} as phone`,
  ])
  const inbox = Math.min(decisions.decisions + news, COUNT_MAX)
  return { inbox, unread, ...runs, ...decisions, ...others }
}
