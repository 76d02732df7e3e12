import { dictionary } from '../../../contract/dictionary.ts'
import type { EndpointName } from '../../../contract/index.ts'
import { COVERED } from '../../tools/actions/reachable.ts'

/** Hints that are absent have the default of the protocol: a tool that only reads is neither destructive nor idempotent. */
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

/** Hints for clients, which may ask a person before a call that changes something. */
export const ANNOTATIONS: Record<string, Annotations> = dictionary({
  whoami: reads('Who am I'),
  search: reads('Search'),
  list_projects: reads('List projects'),
  get_project: reads('Get a project'),
  create_project: writes('Create a project'),
  update_project: writes('Update a project', { idempotent: true }),
  read_canvas: reads('Read a canvas'),
  edit_canvas: writes('Edit a canvas', { destructive: true }),
  list_files: reads('List files'),
  read_file: reads('Read a file'),
  write_file: writes('Write a file', { idempotent: true }),
  organize_files: writes('Organize files', { destructive: true }),
  list_sessions: reads('List sessions'),
  read_session: reads('Read a session'),
  // Agents may reach the web and other services.
  start_run: writes('Start a run', { openWorld: true }),
  get_run: reads('Get a run'),
  search_memory: reads('Search the memory'),
  save_memory: writes('Save to the memory', { idempotent: true }),
  list_events: reads('List events'),
  send_sms: writes('Send a text message', { openWorld: true }),
  list_calls: reads('List calls'),
  submit_feedback: writes('Submit feedback', { openWorld: true }),
  search_actions: reads('Search actions'),
  run_action: writes('Run an action', { destructive: true }),
})

/**
 * The endpoints that each tool calls, for annotations. run_action offers the endpoints that are marked as tools and not
 * listed here.
 */
export const ENDPOINTS_OF_TOOLS: Record<string, readonly EndpointName[]> = dictionary({
  ...COVERED,
  whoami: ['deviceLogin.me', 'workspaces.list'],
  // Besides the endpoints above: folders are created, and files go to the trash.
  organize_files: [...COVERED.organize_files, 'files.create', 'files.remove'],
  list_sessions: ['sessions.list'],
  read_session: ['sessions.get', 'sessions.messages'],
  start_run: ['sessions.create', 'sessions.send'],
  get_run: ['agentRuns.get'],
})

/** Endpoints that tools call and that stay actions, because the tool offers a part of them only. */
const ALSO_ACTIONS: readonly EndpointName[] = ['workspaces.list', 'files.create']

export const COVERED_BY_TOOLS: ReadonlySet<EndpointName> = new Set(
  Object.values(ENDPOINTS_OF_TOOLS)
    .flat()
    .filter((name) => !ALSO_ACTIONS.includes(name)),
)
