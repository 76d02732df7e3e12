import { dictionary } from '../../../contract/dictionary.ts'
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
