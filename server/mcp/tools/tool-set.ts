import { z } from 'zod'
import { runAction, searchActions } from '../../tools/actions/action-tools.ts'
import { type Actions, actionsExcept } from '../../tools/actions/actions.ts'
import { CALL_TOOLS } from '../../tools/call-tools.ts'
import { editCanvas } from '../../tools/canvas/edit-canvas.ts'
import { readCanvas } from '../../tools/canvas/read-canvas.ts'
import { listEvents } from '../../tools/events.ts'
import { listFiles } from '../../tools/files/list-files.ts'
import { organizeFiles } from '../../tools/files/organize-files.ts'
import { readFile } from '../../tools/files/read-file.ts'
import { writeFile } from '../../tools/files/write-file.ts'
import { saveMemory } from '../../tools/memory/save-memory.ts'
import { searchMemory } from '../../tools/memory/search-memory.ts'
import { createProject, getProject, listProjects, updateProject } from '../../tools/projects.ts'
import { SEARCH_KINDS } from '../../tools/search/hit.ts'
import { search } from '../../tools/search/search.ts'
import { submitFeedback } from '../../tools/submit-feedback.ts'
import { listCalls } from '../../tools/telephony/list-calls.ts'
import { sendSms } from '../../tools/telephony/send-sms.ts'
import type { McpAccess, McpCaller } from '../identify.ts'
import { ANNOTATIONS, type Annotations } from './annotations.ts'
import { inputSchemaOf, type JsonSchema, outputSchemaOf } from './json-schemas.ts'
import type { McpTool } from './mcp-tool.ts'
import { COVERED_BY_TOOLS } from './reachable.ts'
import { getRun, startRun } from './runs.ts'
import { listSessions, readSession } from './sessions.ts'
import { whoami } from './whoami.ts'

/** A tool as `tools/list` has it. */
export interface ListedTool {
  name: string
  description: string
  inputSchema: JsonSchema
  outputSchema?: JsonSchema
  annotations: Annotations
}

export interface ToolSet {
  byName: ReadonlyMap<string, McpTool>
  list: readonly ListedTool[]
  actions: Actions
}

const searchAll = {
  ...search({
    description:
      'Find projects, files, sessions and events by words, blocks of a project by title or content, or any record by its id. Use it when you do not know where something is.',
    kinds: SEARCH_KINDS,
  }),
  output: z.object({
    results: z.array(z.looseObject({ kind: z.enum(SEARCH_KINDS), id: z.string(), name: z.string() })),
    more: z.string().optional(),
    note: z.string().optional(),
  }),
}

const events = {
  ...listEvents,
  output: z.looseObject({
    items: z.array(z.looseObject({ id: z.string(), type: z.string() })).optional(),
    nextCursor: z.string().optional(),
  }),
}

const projects = { ...listProjects, description: 'List the projects that you can see, newest first.' }

const toolsWith = (actions: Actions) =>
  [
    whoami,
    searchAll,
    projects,
    getProject,
    createProject,
    updateProject,
    readCanvas,
    editCanvas,
    listFiles,
    readFile,
    writeFile,
    organizeFiles,
    listSessions,
    readSession,
    startRun,
    getRun,
    searchMemory,
    saveMemory,
    events,
    sendSms,
    listCalls,
    submitFeedback,
    searchActions(actions),
    runAction(actions),
  ] as unknown as McpTool[]

/** Listed for organizations with a phone number. Calls of other organizations get an error. */
export const PHONE_TOOLS: readonly string[] = [sendSms.name, listCalls.name]

/** Built once: a list of tools is the same for every caller with this access. */
function buildToolSet(access: McpAccess): ToolSet {
  const all = actionsExcept(COVERED_BY_TOOLS)
  const actions = access === 'write' ? all : new Map([...all].filter(([, { effect }]) => effect === 'read'))
  const tools = toolsWith(actions).filter(({ name }) => access === 'write' || isForReaders(name))
  return {
    byName: new Map(tools.map((tool) => [tool.name, tool])),
    list: tools.map(describe),
    actions,
  }
}

/** Callers with read access may run actions that read. */
const isForReaders = (name: string) => ANNOTATIONS[name]!.readOnlyHint || name === 'run_action'

const describe = ({ name, description, input, output }: McpTool): ListedTool => ({
  name,
  description,
  inputSchema: inputSchemaOf(name, input),
  ...(output && { outputSchema: outputSchemaOf(output) }),
  annotations: ANNOTATIONS[name]!,
})

export const TOOL_SETS: Readonly<Record<McpAccess, ToolSet>> = {
  read: buildToolSet('read'),
  write: buildToolSet('write'),
}

const CALL_TOOL_SET: ToolSet = {
  byName: new Map([...TOOL_SETS.read.byName].filter(([name]) => CALL_TOOLS.includes(name))),
  list: TOOL_SETS.read.list.filter(({ name }) => CALL_TOOLS.includes(name)),
  actions: new Map(),
}

type Access = Pick<McpCaller, 'access' | 'projectId' | 'callTools'>

export function toolSetOf({ access, projectId, callTools }: Access): ToolSet {
  if (projectId === null) return TOOL_SETS[access]
  return {
    byName: new Map([...CALL_TOOL_SET.byName].filter(([name]) => callTools.includes(name))),
    list: CALL_TOOL_SET.list.filter(({ name }) => callTools.includes(name)),
    actions: CALL_TOOL_SET.actions,
  }
}
