import { expect, test } from 'vitest'
import { z } from 'zod'
import { AGENT_TOOL_NAMES, type AgentTool } from '../../../../../contract/agents/agent-options.ts'
import type { Endpoint } from '../../../../../contract/endpoint.ts'
import { endpointsByName } from '../../../../../contract/index.ts'
import { findActions } from '../../../../tools/actions/action-tools.ts'
import { actionsFor, mergeInputSchema } from '../../../../tools/actions/actions.ts'
import {
  COVERED,
  COVERED_IN_RUNS,
  NEEDED_SETTINGS,
  NOT_FOR_RUNS,
} from '../../../../tools/actions/reachable.ts'
import { allToolsFor } from './all-tools.ts'

const settingsOf = (...on: AgentTool[]) =>
  Object.fromEntries(AGENT_TOOL_NAMES.map((name) => [name, on.includes(name)])) as Record<AgentTool, boolean>
const toolsFor = (...on: AgentTool[]) => allToolsFor(settingsOf(...on))
const allTools = toolsFor(...AGENT_TOOL_NAMES)

test('the tools will be sorted by name, without those turned off in settings', () => {
  const names = [...allTools.keys()]
  expect(names).toEqual(names.toSorted())
  expect(names).toHaveLength(32)
  const blockTools = toolsFor('blocks')
  expect(blockTools.has('edit_canvas')).toBe(true)
  for (const name of ['read_file', 'write_file', 'web_fetch']) expect(blockTools.has(name)).toBe(false)
})

test('the actions leave out those for a setting that is off', () => {
  const none = [...actionsFor({ blocks: false, files: false, phone: false }).keys()]
  expect(none.length).toBeGreaterThan(5)
  for (const [prefix] of NEEDED_SETTINGS) expect(none.filter((name) => name.startsWith(prefix))).toEqual([])
  expect(actionsFor({ blocks: true, files: false, phone: false }).has('canvas.history')).toBe(true)
  expect(actionsFor({ blocks: true, files: false, phone: false }).has('projectExport.export')).toBe(false)
})

test('all tool descriptions take less than 7,000 tokens', () => {
  const declared = [...allTools.values()].map(({ name, description, input }) => ({
    name,
    description,
    input: z.toJSONSchema(input, { io: 'input' }),
  }))
  const tokens = JSON.stringify(declared).length / 4
  expect(tokens).toBeLessThan(7000)
})

test.each([...allTools.values()])('$name has a name and a description that models accept', (tool) => {
  expect(tool.name).toMatch(/^[a-z]+(_[a-z]+)+$|^search$/)
  expect(tool.description).toMatch(/^[A-Z].{30,400}\.$/)
  expect(z.toJSONSchema(tool.input, { io: 'input' })).toMatchObject({
    type: 'object',
    additionalProperties: false,
  })
})

test('an agent reaches every endpoint marked as a tool, directly or as an action', () => {
  const marked = Object.entries(endpointsByName)
    .filter(([, { tool }]) => tool !== undefined)
    .map(([name]) => name)
  const actions = [...actionsFor({ blocks: true, files: true, phone: true }).keys()]
  const covered = Object.values({ ...COVERED, ...COVERED_IN_RUNS }).flat()
  const reached = new Set<string>([...covered, ...actions, ...NOT_FOR_RUNS])
  expect(marked.filter((name) => !reached.has(name))).toEqual([])
  expect([...reached].filter((name) => !marked.includes(name))).toEqual([])
  for (const tool of Object.keys({ ...COVERED, ...COVERED_IN_RUNS })) expect(allTools.has(tool)).toBe(true)
})

test.each([...actionsFor({ blocks: true, files: true, phone: true }).values()])(
  '$name has one field per name',
  ({ endpoint }) => {
    const { params, query, body }: Endpoint = endpoint
    const keys = [params, query, body].flatMap((schema) =>
      Object.keys((schema as z.ZodObject | undefined)?.shape ?? {}),
    )
    expect(keys).toEqual([...new Set(keys)])
    const { properties } = mergeInputSchema(endpoint) as { properties: object }
    for (const key of keys) expect(properties).toHaveProperty(key)
  },
)

test.each([
  ['take a snapshot of the canvas', 'canvas.snapshot'],
  ['who are the members of the organization', 'organization.members'],
  ['copy a file', 'files.copy'],
  ['delete project', 'projects.remove'],
  ['quota usage', 'quotas.list'],
  ['webhook deliveries', 'webhooks.deliveries'],
])('findActions finds an action for "%s"', (query, name) => {
  const found = findActions(actionsFor({ blocks: true, files: true, phone: true }), query, 5)
  expect(found.map((action) => action.name)).toContain(name)
})
