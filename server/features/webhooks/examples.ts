import { EVENT_TYPES, PUBLISHED_EVENT_TYPES } from '../../../contract/webhooks/event-types.ts'

const PROJECT = '0198f3a2-7c1e-7d44-9b1a-2f6c1de0a111'
const OTHER = '0198f3a2-7c1e-7d44-9b1a-2f6c1de0a222'
const PERSON = '0198f3a2-7c1e-7d44-9b1a-2f6c1de0a333'

const IN_PROJECT = { projectId: PROJECT, by: PERSON }
const SMS = { smsId: OTHER, projectId: PROJECT, numberId: OTHER }

const EXAMPLES: readonly [prefix: string, data: Record<string, unknown>][] = [
  ['project.block.', { ...IN_PROJECT, blockIds: [OTHER], count: 1, runId: null }],
  [
    'project.table.',
    {
      ...IN_PROJECT,
      tableId: OTHER,
      seq: 2,
      change: 'rows',
      rows: { created: 1, updated: 0, deleted: 0 },
      runId: null,
    },
  ],
  ['project.updated', { ...IN_PROJECT, fields: ['name', 'tags'] }],
  ['project.shared', { ...IN_PROJECT, access: 'view', how: 'created' }],
  ['project.duplicated', { ...IN_PROJECT, from: OTHER }],
  ['project.restored', { ...IN_PROJECT, from: 'trash' }],
  ['project.', IN_PROJECT],
  ['task.', { ...IN_PROJECT, taskIds: [OTHER], count: 1, runId: null }],
  ['agent.created', { agentId: OTHER, version: 1, by: PERSON }],
  ['agent.updated', { agentId: OTHER, version: 2, by: PERSON, change: 'updated', fields: ['prompt'] }],
  ['agent.run.', { ...IN_PROJECT, runId: OTHER, status: 'running' }],
  [
    'agent.approval.requested',
    {
      approvalId: OTHER,
      runId: OTHER,
      projectId: PROJECT,
      sessionId: OTHER,
      agentId: OTHER,
      kind: 'approval',
    },
  ],
  ['agent.approval.decided', { ...IN_PROJECT, approvalId: OTHER, runId: OTHER, decision: 'approved' }],
  ['session.created', { ...IN_PROJECT, sessionId: OTHER, agentId: OTHER }],
  ['session.ended', { ...IN_PROJECT, sessionId: OTHER }],
  ['session.message.created', { ...IN_PROJECT, sessionId: OTHER, messageId: OTHER }],
  ['session.participant.', { ...IN_PROJECT, sessionId: OTHER, userId: PERSON }],
  [
    'memory.updated',
    { memoryId: OTHER, projectId: PROJECT, runId: null, by: PERSON, version: 2, change: 'updated' },
  ],
  ['memory.decided', { memoryId: OTHER, projectId: PROJECT, runId: OTHER, by: PERSON, decision: 'rejected' }],
  ['memory.', { memoryId: OTHER, projectId: PROJECT, runId: null, by: PERSON }],
  ['skill.', { skillId: OTHER, version: 1, change: 'created', by: PERSON }],
  [
    'comment.',
    { commentId: OTHER, parentId: null, target: `block:${OTHER}`, projectId: PROJECT, by: PERSON },
  ],
  ['file.', { fileId: OTHER, source: 'upload', projectId: PROJECT, by: PERSON }],
  [
    'call.',
    {
      callId: OTHER,
      direction: 'inbound',
      projectId: PROJECT,
      numberId: OTHER,
      agentId: OTHER,
      status: 'in_progress',
    },
  ],
  ['sms.received', { ...SMS, segments: 1 }],
  ['sms.sent', { ...SMS, status: 'sent', segments: 1 }],
  ['sms.failed', { ...SMS, status: 'undelivered', errorCode: '30003' }],
  ['feedback.updated', { feedbackId: OTHER, change: 'edited', by: PERSON }],
  ['feedback.', { feedbackId: OTHER, status: 'received', by: PERSON }],
  ['key.', { keyId: OTHER, by: PERSON }],
  ['webhook.paused', { webhookId: OTHER, reason: 'timeouts' }],
  ['webhook.disabled', { webhookId: OTHER, reason: 'The endpoint responded with 410 Gone' }],
  ['webhook.test', { message: 'This is a test event.' }],
]

export const eventExample = (type: string): Record<string, unknown> =>
  EXAMPLES.find(([prefix]) => type.startsWith(prefix))?.[1] ?? { id: OTHER }

export const listEventTypes = async () => ({
  items: PUBLISHED_EVENT_TYPES.map((name) => {
    const { category, description } = EVENT_TYPES[name]
    return { name, category, description, example: eventExample(name) }
  }),
})
