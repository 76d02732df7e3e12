import { listMessages } from '../../conversations/conversations.ts'
import type { HistoryReader } from '../tools/history.ts'

/** The messages of the run's own session; results of tools as JSON. */
export const readHistory: HistoryReader = async ({ sql, run }, { from, to, limit }) => {
  const rows = await listMessages(sql, run.orgId, run.sessionId, { order: 'oldest', from: from - 1, limit })
  return rows
    .filter(({ seq, state }) => state === 'sent' && (to === null || seq <= to))
    .map(({ seq, role, body, content, createdAt }) => ({
      seq,
      role,
      text: body || JSON.stringify(content),
      createdAt,
    }))
}
