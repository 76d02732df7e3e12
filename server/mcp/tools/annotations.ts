import { dictionary } from '../../../contract/dictionary.ts'
import type { EndpointName } from '../../../contract/index.ts'
import { COVERED } from '../../tools/actions/reachable.ts'

/** Defaults follow the protocol: a read-only tool is neither destructive nor idempotent. */
export interface Annotations {
  title: string
  readOnlyHint?: true
  destructiveHint?: boolean
  idempotentHint?: true
  openWorldHint: boolean
}

const reads = (title: string): Annotations => ({ title, readOnlyHint: true, openWorldHint: false })

const writes = (
  title: string,
  hints: { destructive?: true; idempotent?: true; openWorld?: true } = {},
): Annotations => ({
  title,
  destructiveHint: hints.destructive ?? false,
  ...(hints.idempotent && { idempotentHint: true }),
  openWorldHint: hints.openWorld ?? false,
})

/** Clients may ask their user before a call that changes something. */
export const ANNOTATIONS: Record<string, Annotations> = dictionary({
  whoami: reads('Who am I'),
  search: reads('Search'),
  list_projects: reads('List projects'),
  get_project: reads('Get a project'),
  create_project: writes('Create a project'),
  update_project: writes('Update a project', { idempotent: true }),
  read_canvas: reads('Read a canvas'),
  edit_canvas: writes('Edit a canvas', { destructive: true }),
  list_tables: reads('List tables'),
  query_table: reads('Query a table'),
  upsert_rows: writes('Write table rows'),
  delete_rows: writes('Delete table rows', { destructive: true }),
  edit_table: writes('Create or change a table', { destructive: true }),
  list_files: reads('List files'),
  read_file: reads('Read a file'),
  write_file: writes('Write a file', { idempotent: true }),
  organize_files: writes('Organize files', { destructive: true }),
  list_sessions: reads('List sessions'),
  read_session: reads('Read a session'),
  // Agents may reach the web and other services.
  start_run: writes('Start a run', { openWorld: true }),
  get_run: reads('Get a run'),
  search_knowledge: reads('Search knowledge'),
  search_memory: reads('Search the memory'),
  save_memory: writes('Save to the memory', { idempotent: true }),
  list_events: reads('List events'),
  send_sms: writes('Send a text message', { openWorld: true }),
  list_calls: reads('List calls'),
  submit_feedback: writes('Submit feedback', { openWorld: true }),
  search_actions: reads('Search actions'),
  run_action: writes('Run an action', { destructive: true }),
})

/** run_action offers endpoints marked as tools and not listed here. */
export const ENDPOINTS_OF_TOOLS: Record<string, readonly EndpointName[]> = dictionary({
  ...COVERED,
  whoami: ['deviceLogin.me', 'workspaces.list'],
  organize_files: [...COVERED.organize_files, 'files.create', 'files.remove'],
  list_sessions: ['sessions.list'],
  read_session: ['sessions.get', 'sessions.messages'],
  start_run: ['sessions.create', 'sessions.send'],
  get_run: ['agentRuns.get'],
})

/** These stay actions, because the tool covers them only partly. */
const ALSO_ACTIONS: readonly EndpointName[] = ['workspaces.list', 'files.create']

export const COVERED_BY_TOOLS: ReadonlySet<EndpointName> = new Set(
  Object.values(ENDPOINTS_OF_TOOLS)
    .flat()
    .filter((name) => !ALSO_ACTIONS.includes(name)),
)
