import type { z } from 'zod'
import type { AgentSession, Message } from '../../../../contract/agents/sessions.ts'
import type { MessageRow } from './message-queries.ts'
import type { SessionRow } from './session-queries.ts'

export const presentSession = (row: SessionRow): z.output<typeof AgentSession> => ({
  id: row.id,
  projectId: row.projectId,
  agentId: row.agentId,
  model: row.model,
  title: row.title,
  status: row.status,
  origin: row.origin,
  messageCount: row.messageCount,
  activeRunId: row.activeRunId,
  cost: { amount: row.cost, currency: 'USD' },
  branchedFrom: row.branchedFrom === null ? null : { sessionId: row.branchedFrom, seq: row.branchedAtSeq! },
  knowledge: row.knowledge,
  participants: row.participants,
  canEdit: row.access === 'edit',
  createdBy: row.createdBy,
  createdAt: row.createdAt,
  lastMessageAt: row.lastMessageAt,
  endedAt: row.endedAt,
})

export const presentMessage = (row: MessageRow): z.output<typeof Message> => ({
  id: row.id,
  seq: row.seq,
  role: row.role,
  state: row.state,
  runId: row.runId,
  step: row.step,
  authorId: row.authorId,
  text: row.body,
  content: row.content,
  citations: row.citations ?? [],
  fileIds: [...(row.fileIds ?? [])],
  trust: row.trust,
  summary: row.summary ?? null,
  rating: row.rating ?? null,
  createdAt: row.createdAt,
})
