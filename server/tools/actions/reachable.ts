import type { EndpointName } from '../../../contract/index.ts'

/** The endpoints that separate tools cover, by tool. Actions do not offer them a second time. */
export const COVERED = {
  list_projects: ['projects.list'],
  get_project: ['projects.get'],
  create_project: ['projects.create'],
  update_project: ['projects.update'],
  read_canvas: ['canvas.list'],
  edit_canvas: [
    'canvas.change',
    'canvas.create',
    'canvas.update',
    'canvas.move',
    'canvas.remove',
    'canvas.connect',
    'canvas.disconnect',
  ],
  list_files: ['files.list'],
  read_file: ['files.get', 'files.preview', 'fileTexts.read'],
  write_file: ['fileTexts.write'],
  organize_files: ['files.update'],
  list_events: ['webhooks.events', 'webhooks.event'],
  search_memory: ['memory.list'],
  save_memory: ['memory.create'],
  submit_feedback: ['feedback.submit'],
  send_sms: ['sms.send'],
  list_calls: ['calls.list', 'calls.get'],
} satisfies Record<string, EndpointName[]>

/** The endpoints that tools of runs cover. MCP clients do not have these tools, and call the endpoints as actions. */
export const COVERED_IN_RUNS = {
  make_call: ['calls.create'],
  list_sms: ['sms.list'],
} satisfies Record<string, EndpointName[]>

/** Endpoints with which external programs report their own runs: a run of an agent must not change its own state. */
export const NOT_FOR_RUNS: readonly EndpointName[] = ['runs.start', 'runs.update']

/** Changes that ask a carrier or object storage, which a transaction must not wait for. A repetition changes nothing. */
export const BEYOND_TRANSACTIONS: ReadonlySet<EndpointName> = new Set(['calls.hangUp', 'files.create'])

const always = () => true

/** Actions whose output may contain texts of third parties or of guests of share links. */
export const OUTSIDE_ACTIONS: Partial<Record<EndpointName, (output: never) => boolean>> = {
  'webhooks.eventsOf': always,
  'webhooks.deliveries': always,
  'projects.navigator': always,
  'projectExport.export': always,
  // Answers and results of tools in other conversations.
  'sessions.messages': ({ items }: { items: { trust: string }[] }) =>
    items.some(({ trust }) => trust !== 'trusted'),
  'sessions.list': ({ items }: { items: { match: unknown }[] }) => items.some(({ match }) => match !== null),
  'agentRuns.steps': always,
  'calls.list': always,
  'calls.get': always,
  'sms.list': always,
  'telephony.overview': always,
  'agentRuns.changes': always,
  'calls.hangUp': always,
  'calls.transfer': always,
  // Earlier states have texts of authors whom the current state no longer names.
  'canvas.history': always,
  'canvas.at': always,
}

/** Actions of a project whose result is outside of it: a run that is no longer trusted cannot use them. */
export const LEAVING_ACTIONS: ReadonlySet<string> = new Set<EndpointName>(['projects.duplicate'])

/** Actions that reach people outside of the organization: the operators, or the people who are called. */
export const SENDING_ACTIONS: ReadonlySet<string> = new Set<EndpointName>([
  'feedback.comment',
  'feedback.edit',
  'calls.create',
  'calls.transfer',
  'sms.send',
])

/** The settings of an agent that an endpoint needs, by the beginning of its name. */
export const NEEDED_SETTINGS: readonly [string, readonly ('blocks' | 'files' | 'phone')[]][] = [
  ['files.', ['files']],
  ['fileTexts.', ['files']],
  ['canvas.', ['blocks']],
  ['runs.restoreLast', ['blocks']],
  ['projects.navigator', ['blocks', 'files']],
  ['projects.duplicate', ['blocks', 'files']],
  ['projectExport.', ['blocks', 'files']],
  ['calls.', ['phone']],
  ['sms.', ['phone']],
]
