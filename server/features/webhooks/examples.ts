import { EVENT_TYPES, type EventType } from '../../../contract/event-types.ts'

const PROJECT = '0198f3a2-7c1e-7d44-9b1a-2f6c1de0a111'
const OTHER = '0198f3a2-7c1e-7d44-9b1a-2f6c1de0a222'
const PERSON = '0198f3a2-7c1e-7d44-9b1a-2f6c1de0a333'

/** What the `data` of an event looks like, by the beginning of its name. */
const EXAMPLES: readonly [beginning: string, data: Record<string, unknown>][] = [
  ['project.block.', { projectId: PROJECT, blockIds: [OTHER], count: 1, runId: null, by: PERSON }],
  ['project.duplicated', { projectId: PROJECT, from: OTHER, by: PERSON }],
  ['project.', { projectId: PROJECT, name: 'Launch plan', by: PERSON }],
  ['agent.run.', { runId: OTHER, projectId: PROJECT, status: 'running' }],
  ['file.', { fileId: OTHER, name: 'report.pdf', projectId: PROJECT, by: PERSON }],
  ['feedback.', { feedbackId: OTHER, status: 'received', by: PERSON }],
  ['key.', { keyId: OTHER, name: 'ci', by: PERSON }],
  ['webhook.disabled', { webhookId: OTHER, reason: 'The address answered 410 Gone' }],
  ['webhook.test', { message: 'If you can read this, it works.' }],
]

export const exampleOf = (type: EventType | string): Record<string, unknown> =>
  EXAMPLES.find(([beginning]) => type.startsWith(beginning))?.[1] ?? { id: OTHER }

export const listEventTypes = async () => ({
  items: Object.entries(EVENT_TYPES).map(([name, { category, description }]) => ({
    name,
    category,
    description,
    example: exampleOf(name),
  })),
})
