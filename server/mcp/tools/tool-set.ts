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
import { saveMemory, searchMemory } from '../../tools/memory.ts'
import { createProject, getProject, listProjects, updateProject } from '../../tools/projects.ts'
import { SEARCH_KINDS, search } from '../../tools/search.ts'
import { searchKnowledge } from '../../tools/search-knowledge.ts'
import { submitFeedback } from '../../tools/submit-feedback.ts'
import { editTable } from '../../tools/tables/edit-table.ts'
import { listTables } from '../../tools/tables/list-tables.ts'
import { queryTable } from '../../tools/tables/query-table.ts'
import { deleteRows, upsertRows } from '../../tools/tables/write-rows.ts'
import { listCalls, sendSms } from '../../tools/telephony.ts'
import type { McpAccess, McpCaller } from '../identify.ts'
import { ANNOTATIONS, type Annotations, COVERED_BY_TOOLS } from './annotations.ts'
import type { McpTool } from './mcp-tool.ts'
import { getRun, startRun } from './runs.ts'
import { listSessions, readSession } from './sessions.ts'
import { whoami } from './whoami.ts'

interface ListedTool {
  name: string
  description: string
  inputSchema: JsonSchema
  outputSchema?: JsonSchema
  annotations: Annotations
}

interface ToolSet {
  byName: ReadonlyMap<string, McpTool>
  list: readonly ListedTool[]
  actions: Actions
}

const searchAll = {
  ...search({
    description:
      'Find projects, files, tables, sessions and events by words, project blocks by title or content, or any record by its id. Use it when you do not know where something is.',
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
    listTables,
    queryTable,
    upsertRows,
    deleteRows,
    editTable,
    listFiles,
    readFile,
    writeFile,
    organizeFiles,
    listSessions,
    readSession,
    startRun,
    getRun,
    searchKnowledge(),
    searchMemory,
    saveMemory,
    events,
    sendSms,
    listCalls,
    submitFeedback,
    searchActions(actions),
    runAction(actions),
  ] as unknown as McpTool[]

/** Listed for organizations with a phone number. Others get an error. */
export const PHONE_TOOLS: readonly string[] = [sendSms.name, listCalls.name]

/** Built once, since all callers with this access share it. */
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

const isForReaders = (name: string) => ANNOTATIONS[name]!.readOnlyHint || name === 'run_action'

const describe = ({ name, description, input, output }: McpTool): ListedTool => ({
  name,
  description,
  inputSchema: inputSchemaOf(name, input),
  ...(output && { outputSchema: outputSchemaOf(output) }),
  annotations: ANNOTATIONS[name]!,
})

type JsonSchema = {
  type: 'object'
  properties?: Record<string, object>
  required?: string[]
  additionalProperties?: false
}

/** A client has no project, so all other tools need one. */
const PROJECT_IS_OPTIONAL = [
  'search',
  'search_knowledge',
  'read_file',
  'list_sessions',
  'search_memory',
  'save_memory',
  'start_run',
]

function inputSchemaOf(name: string, input: z.ZodType): JsonSchema {
  const schema = jsonSchemaOf(input, 'input')
  const { project, ...properties } = schema.properties ?? {}
  if (!project) return schema
  const isOptional = PROJECT_IS_OPTIONAL.includes(name)
  const required = [...(isOptional ? [] : ['project']), ...(schema.required ?? [])]
  return {
    ...schema,
    properties: { project: { ...project, description: 'Id, slug or name' }, ...properties },
    ...(required.length > 0 && { required }),
  }
}

const outputSchemaOf = (output: z.ZodType): JsonSchema => jsonSchemaOf(output, 'output')

function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io })
  const small = compact(rest) as JsonSchema
  return io === 'input' ? { ...small, additionalProperties: false } : small
}

/** Schemas cost tokens in every client conversation. */
function compact(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(compact)
  if (typeof schema !== 'object' || schema === null) return schema
  const { properties, ...keywords } = schema as JsonSchema & Record<string, unknown>
  const small = {
    ...compactEach(Object.entries(keywords).filter(([key, value]) => !isOmitted(key, value))),
    // Names of fields are no keywords.
    ...(properties && { properties: compactEach(Object.entries(properties)) }),
  }
  const { anyOf, ...rest } = small as Record<string, unknown>
  return isNullable(anyOf) ? { ...anyOf[0], type: [anyOf[0].type, 'null'], ...rest } : small
}

const compactEach = (entries: [string, unknown][]) =>
  Object.fromEntries(entries.map(([key, value]) => [key, compact(value)]))

/** The server checks these, and no model needs them to write good input. */
const OMITTED_KEYWORDS = ['minLength', 'maxLength', 'minItems', 'maxItems', 'pattern', 'propertyNames']

function isOmitted(key: string, value: unknown): boolean {
  if (OMITTED_KEYWORDS.includes(key)) return true
  // Unknown fields are refused with a reason, and an object without named fields may have any.
  if (key === 'additionalProperties') return Object.keys(value as object).length === 0
  if (key === 'minimum') return value === 0 || value === 1 || !isBounded(value)
  if (key === 'maximum') return !isBounded(value)
  return key === 'default' && (value === false || (Array.isArray(value) && value.length === 0))
}

const isBounded = (value: unknown) => Math.abs(value as number) < Number.MAX_SAFE_INTEGER

const isNullable = (anyOf: unknown): anyOf is [{ type: string }, { type: 'null' }] =>
  Array.isArray(anyOf) &&
  anyOf.length === 2 &&
  typeof anyOf[0]?.type === 'string' &&
  anyOf[0].enum === undefined &&
  anyOf[1]?.type === 'null'

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

export function selectToolSet({ access, projectId, callTools }: Access): ToolSet {
  if (projectId === null) return TOOL_SETS[access]
  return {
    byName: new Map([...CALL_TOOL_SET.byName].filter(([name]) => callTools.includes(name))),
    list: CALL_TOOL_SET.list.filter(({ name }) => callTools.includes(name)),
    actions: CALL_TOOL_SET.actions,
  }
}
