import { z } from 'zod'
import type { AgentTool } from '../../../../../contract/agents/agent-options.ts'
import { conflict } from '../../../../errors.ts'
import { runAction, searchActions } from '../../../../tools/actions/action-tools.ts'
import { actionsFor } from '../../../../tools/actions/actions.ts'
import { editCanvas } from '../../../../tools/canvas/edit-canvas.ts'
import { readCanvas } from '../../../../tools/canvas/read-canvas.ts'
import { listEvents } from '../../../../tools/events.ts'
import { listFiles } from '../../../../tools/files/list-files.ts'
import { organizeFiles } from '../../../../tools/files/organize-files.ts'
import { readFile } from '../../../../tools/files/read-file.ts'
import { writeFile } from '../../../../tools/files/write-file.ts'
import { saveMemory, searchMemory } from '../../../../tools/memory.ts'
import { createProject, getProject, listProjects, updateProject } from '../../../../tools/projects.ts'
import { search } from '../../../../tools/search.ts'
import { searchKnowledge } from '../../../../tools/search-knowledge.ts'
import { submitFeedback } from '../../../../tools/submit-feedback.ts'
import { editTable } from '../../../../tools/tables/edit-table.ts'
import { listTables } from '../../../../tools/tables/list-tables.ts'
import { queryTable } from '../../../../tools/tables/query-table.ts'
import { deleteRows, upsertRows } from '../../../../tools/tables/write-rows.ts'
import { listCalls, listSms, makeCall, sendSms } from '../../../../tools/telephony.ts'
import { runCodeTool } from '../code/run-code.ts'
import type { RunTool } from '../state/run-tool.ts'
import { readHistory } from './history.ts'
import { makePayment } from './make-payment.ts'
import { readSkill } from './read-skill.ts'
import { runAgent } from './run-agent.ts'
import { SHOWN_TOOLS_MAX, searchTools } from './search-tools.ts'
import { webFetch } from './web/web-fetch.ts'
import { webSearch } from './web/web-search.ts'

const searchOf = ({ blocks, files, tables }: Readonly<Record<'blocks' | 'files' | 'tables', boolean>>) =>
  search({
    description:
      'Find projects, files and tables by name, project blocks by title or content, or any of them by id. Use it when you do not know where something is.',
    kinds: ['project', 'file', 'block', 'table'],
    allowed: [
      'project',
      ...(files ? (['file'] as const) : []),
      ...(blocks ? (['block'] as const) : []),
      ...(tables ? (['table'] as const) : []),
    ],
  })

/** Nothing if the agent may read none of these sources. Like other agents' answers, pinned conversations need no setting. */
const knowledgeOf = ({ blocks, files, memory }: Readonly<Record<'blocks' | 'files' | 'memory', boolean>>) => {
  const types = [
    ...(files ? (['file'] as const) : []),
    ...(blocks ? (['block'] as const) : []),
    ...(memory ? (['memory'] as const) : []),
  ]
  return types.length === 0 ? [] : [searchKnowledge([...types, 'session'])]
}

const askInput = z.strictObject({
  question: z.string().min(1).max(4000),
  choices: z.array(z.string().min(1).max(200)).min(2).max(10).optional(),
})

const askPerson: RunTool<z.output<typeof askInput>> = {
  name: 'ask_person',
  description:
    'Ask the people in this conversation and wait for the answer. Use it when you cannot go on without a decision or a fact that only a person has.',
  input: askInput,
  effect: 'read',
  risk: 'none',
  asks: true,
  summarize: ({ question, choices }) => (choices ? `${question} (${choices.join(' / ')})` : question),
  run: async () => {
    throw conflict('A person has to answer this question')
  },
}

const ALWAYS = [askPerson, createProject, getProject, listEvents, listProjects, submitFeedback, updateProject]

const BY_SETTING = {
  blocks: [readCanvas, editCanvas],
  tables: [listTables, queryTable, upsertRows, deleteRows, editTable],
  files: [listFiles, readFile, writeFile, organizeFiles],
  memory: [searchMemory, saveMemory],
  web: [webSearch, webFetch],
  agents: [runAgent],
  phone: [sendSms, makeCall, listCalls, listSms],
}

export interface ToolSources {
  hasSkills?: boolean
  canPay?: boolean
}

/** Sorted by name: a stable order keeps providers' prompt caches. */
export function allToolsFor(
  settings: Readonly<Record<AgentTool, boolean>>,
  { hasSkills = false, canPay = false }: ToolSources = {},
): ReadonlyMap<string, RunTool> {
  const chosen = (Object.keys(BY_SETTING) as (keyof typeof BY_SETTING)[]).filter((name) => settings[name])
  const actions = actionsFor(settings)
  const bySetting = [searchOf(settings), searchActions(actions), runAction(actions), readHistory]
  const tools = [
    ...ALWAYS,
    ...bySetting,
    ...knowledgeOf(settings),
    ...(hasSkills ? [readSkill] : []),
    ...(canPay ? [makePayment] : []),
    ...chosen.flatMap((name): unknown[] => BY_SETTING[name]),
  ] as RunTool[]
  const sorted = tools.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return new Map(sorted.map((tool) => [tool.name, tool]))
}

/** Skips denied tools. */
export function withCallTools(
  tools: ReadonlyMap<string, RunTool>,
  { callTools = [], approvals }: { callTools?: readonly RunTool[]; approvals: OutsideTools['approvals'] },
): ReadonlyMap<string, RunTool> {
  // A call's own tools act on the call when their results arrive, which programs keep to themselves.
  const added = callTools
    .filter(({ name }) => approvals[name] !== 'deny')
    .map((tool): RunTool => ({ ...tool, isOutsidePrograms: true }))
  return added.length === 0 ? tools : new Map([...tools, ...added.map((tool) => [tool.name, tool] as const)])
}

const sets = new WeakMap<ReadonlyMap<string, RunTool>, ReadonlyMap<string, RunTool>>()

/** The same set for the same tools, so that its declarations stay cached. */
export function withCode(tools: ReadonlyMap<string, RunTool>): ReadonlyMap<string, RunTool> {
  const cached = sets.get(tools)
  if (cached) return cached
  const tool = runCodeTool(tools) as unknown as RunTool
  const all = new Map([...tools, [tool.name, tool]])
  sets.set(tools, all)
  return all
}

export interface OutsideTools {
  outsideTools?: readonly RunTool[]
  foundTools?: readonly string[]
  approvals: Readonly<Record<string, string>>
}

/** Skips denied tools. Above the limit, adds `search_tools` and what it found instead. */
export function withOutsideTools(
  tools: ReadonlyMap<string, RunTool>,
  { outsideTools = [], foundTools = [], approvals }: OutsideTools,
): ReadonlyMap<string, RunTool> {
  const added = outsideTools.filter(({ name }) => approvals[name] !== 'deny' && !tools.has(name))
  if (added.length === 0) return tools
  const areTooMany = tools.size + added.length > SHOWN_TOOLS_MAX
  const shown = areTooMany
    ? [searchTools(added), ...added.filter(({ name }) => foundTools.includes(name))]
    : added
  return new Map([...tools, ...shown.map((tool) => [tool.name, tool] as const)])
}
