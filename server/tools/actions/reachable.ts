import type { EndpointName } from '../../../contract/index.ts'

/** By tool. Actions don't offer these again. */
export const COVERED = {
  list_projects: ['projects.list'],
  get_project: ['projects.get'],
  create_project: ['projects.create'],
  update_project: ['projects.update'],
  read_canvas: ['canvas.list', 'canvas.outline'],
  edit_canvas: [
    'canvas.change',
    'canvas.create',
    'canvas.update',
    'canvas.move',
    'canvas.remove',
    'canvas.connect',
    'canvas.disconnect',
  ],
  list_tables: ['tables.list', 'tables.get'],
  query_table: ['tables.rows', 'tables.row', 'tables.aggregate'],
  upsert_rows: ['tables.upsert', 'tables.updateRows'],
  delete_rows: ['tables.removeRows'],
  edit_table: ['tables.create', 'tables.update', 'tables.remove'],
  list_files: ['files.list'],
  read_file: ['files.get', 'files.preview', 'fileTables.read', 'fileTexts.read'],
  write_file: ['fileTexts.write'],
  organize_files: ['files.update'],
  list_events: ['webhooks.events', 'webhooks.event'],
  search_knowledge: ['passages.search'],
  search_memory: ['memory.list'],
  save_memory: ['memory.create'],
  submit_feedback: ['feedback.submit'],
  send_sms: ['sms.send'],
  list_calls: ['calls.list', 'calls.get'],
} satisfies Record<string, EndpointName[]>

/** MCP clients lack these tools and call the endpoints as actions. */
export const COVERED_IN_RUNS = {
  make_call: ['calls.create'],
  list_sms: ['sms.list'],
} satisfies Record<string, EndpointName[]>

/** External programs report their runs through these. An agent's run must not change its own state. */
export const NOT_FOR_RUNS: readonly EndpointName[] = ['runs.start', 'runs.update']

/** A transaction must not wait for a carrier or object storage. Repeating these changes nothing. */
export const BEYOND_TRANSACTIONS: ReadonlySet<EndpointName> = new Set(['calls.hangUp', 'files.create'])

const always = () => true

/** Output may contain texts by third parties or share link guests. */
export const OUTSIDE_ACTIONS: Partial<Record<EndpointName, (output: never) => boolean>> = {
  'webhooks.eventsOf': always,
  'webhooks.deliveries': always,
  'sources.log': always,
  'projects.navigator': always,
  'projectExport.export': always,
  // Answers and tool results from other conversations.
  'sessions.messages': ({ items }: { items: { trust: string }[] }) =>
    items.some(({ trust }) => trust !== 'trusted'),
  'sessions.list': ({ items }: { items: { match: unknown }[] }) => items.some(({ match }) => match !== null),
  'agentRuns.get': ({ output, outputSchema }: { output: unknown; outputSchema: unknown }) =>
    output !== null || outputSchema !== null,
  'agentRuns.steps': always,
  'agentRuns.programCalls': always,
  'forEach.lists': always,
  'forEach.items': always,
  'forms.list': always,
  'forms.get': always,
  'calls.list': always,
  'calls.get': always,
  'sms.list': always,
  'telephony.overview': always,
  'agentRuns.changes': always,
  'calls.hangUp': always,
  'calls.transfer': always,
  // Earlier states contain texts by authors the current state no longer names.
  'canvas.history': always,
  'canvas.at': always,
}

/** Their result lies outside the project, so a run that's no longer trusted can't use them. */
export const LEAVING_ACTIONS: ReadonlySet<string> = new Set<EndpointName>(['projects.duplicate'])

/** Reach people outside the organization: operators or call recipients. */
export const SENDING_ACTIONS: ReadonlySet<string> = new Set<EndpointName>([
  'feedback.comment',
  'feedback.edit',
  'calls.create',
  'calls.transfer',
  'sms.send',
])

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
