import type { CallState, CallView } from '../view/run-view.ts'

/** What tools do, in words. Other tools are named as they name themselves. */
const TOOLS: Record<string, string> = {
  ask_person: 'Ask a person',
  create_project: 'Create a project',
  edit_canvas: 'Edit the canvas',
  get_project: 'Read the project',
  list_events: 'List events',
  list_files: 'List files',
  list_projects: 'List projects',
  organize_files: 'Organize files',
  read_canvas: 'Read the canvas',
  read_file: 'Read a file',
  read_history: 'Read earlier messages',
  read_skill: 'Read a skill',
  run_action: 'Run an action',
  run_agent: 'Ask another agent',
  save_memory: 'Save to memory',
  search: 'Search',
  search_actions: 'Find an action',
  search_memory: 'Search the memory',
  submit_feedback: 'Send feedback',
  update_project: 'Update the project',
  web_fetch: 'Read a web page',
  write_file: 'Write a file',
}

export function toolLabel(tool: string): string {
  const known = TOOLS[tool]
  if (known) return known
  const spaced = tool.replaceAll(/[_.:/-]+/g, ' ').trim()
  return spaced === '' ? tool : spaced[0]!.toUpperCase() + spaced.slice(1)
}

/** The fields of an input that name what a call is about, the most telling first. */
const TARGETS = [
  'name',
  'title',
  'file',
  'path',
  'url',
  'query',
  'action',
  'agent',
  'key',
  'question',
  'folder',
]
const TARGET_CHARACTERS = 120

/** The lists of changes that a call makes, with the words for them. */
const CHANGES = {
  create: 'new',
  createFolders: 'new folders',
  update: 'changed',
  move: 'moved',
  rename: 'renamed',
  connect: 'connected',
  delete: 'deleted',
  trash: 'to the trash',
}

export function callTarget({ input }: Pick<CallView, 'input'>): string | null {
  if (typeof input !== 'object' || input === null) return null
  const fields = input as Record<string, unknown>
  const changes = Object.entries(CHANGES).flatMap(([name, label]) => {
    const list = fields[name]
    return Array.isArray(list) && list.length > 0 ? [`${list.length} ${label}`] : []
  })
  if (changes.length > 0) return changes.join(', ')
  for (const name of TARGETS) {
    const value = fields[name]
    if (typeof value === 'string' && value.trim() !== '') return value.trim().slice(0, TARGET_CHARACTERS)
  }
  return null
}

export const CALL_STATES: Record<CallState, { label: string; tone: string }> = {
  called: { label: 'Waiting', tone: 'text-neutral-11' },
  approval: { label: 'Needs approval', tone: 'text-warning-text' },
  running: { label: 'Running', tone: 'text-info-text' },
  done: { label: 'Done', tone: 'text-neutral-11' },
  failed: { label: 'Failed', tone: 'text-bad-text' },
  denied: { label: 'Denied', tone: 'text-warning-text' },
  canceled: { label: 'Canceled', tone: 'text-neutral-11' },
  unknown: { label: 'Result unknown', tone: 'text-warning-text' },
}

/** The error of a call that failed, for its row. */
export function callError({ output, state }: Pick<CallView, 'output' | 'state'>): string | null {
  if (state === 'done' || typeof output !== 'object' || output === null) return null
  const { error } = output as { error?: unknown }
  return typeof error === 'string' ? error : null
}

export const asText = (value: unknown) =>
  typeof value === 'string' ? value : JSON.stringify(value ?? null, null, 2)
