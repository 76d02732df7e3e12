import type { z } from 'zod'
import type { Call, CallEntry } from '../../../../contract/telephony/telephony-records.ts'
import { transferOf } from '../transfer/change-transfer.ts'
import { MISSES } from '../transfer/misses.ts'
import type { Transfer } from '../transfer/states.ts'
import type { CallView } from './view-queries.ts'

type CallRecord = z.output<typeof Call>

export const presentCall = (row: CallView): CallRecord => ({
  id: row.id,
  direction: row.direction,
  from: row.from,
  to: row.to,
  numberId: row.numberId,
  projectId: row.projectId,
  provider: row.provider,
  status: row.status,
  agentId: row.agentId,
  agentName: row.agentName,
  ruleId: row.ruleId,
  sessionId: row.sessionId,
  runId: row.runId,
  startedAt: row.startedAt,
  answeredAt: row.answeredAt,
  endedAt: row.endedAt,
  durationSeconds: row.durationSeconds,
  endReason: row.endReason,
  summary: row.summary,
  recordingFileId: row.recordingFileId,
  transcriptFileId: row.transcriptFileId,
  cost: row.cost === null ? null : { amount: row.cost, currency: 'USD', isEstimate: row.costIsEstimate },
  transfer: presentTransfer(transferOf(row)),
})

/** A transfer as members see it. */
function presentTransfer(transfer: Transfer | null): CallRecord['transfer'] {
  if (transfer === null) return null
  const { state, target, reason, requestedBy, at } = transfer
  return { state, target, reason: reason && MISSES[reason], requestedBy, at }
}

export const presentWithTimeline = (row: CallView, timeline: z.output<typeof CallEntry>[]) => ({
  ...presentCall(row),
  timeline,
})
