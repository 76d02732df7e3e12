import { expect, test } from 'vitest'
import { AGENT_TOOL_NAMES, type AgentTool } from '../../../../../contract/agents/agent-options.ts'
import type { RunAgent } from '../state/prompt.ts'
import type { EngineRun } from '../state/run-row.ts'
import { allToolsFor } from '../tools/all-tools.ts'
import { planCalls } from './plan-calls.ts'

const everyTool = Object.fromEntries(AGENT_TOOL_NAMES.map((name) => [name, true])) as Record<
  AgentTool,
  boolean
>
const tools = allToolsFor(everyTool)

test('an approval describes its call even if the model omits fields with defaults', () => {
  const inputs = {
    edit_canvas: { create: [{ type: 'note', content: 'A note' }] },
    organize_files: { trash: ['old.txt'] },
  }
  const requested = Object.entries(inputs).map(([tool, input]) => ({
    callId: tool,
    tool,
    input,
    invalid: null,
  }))
  const approvals = { edit_canvas: 'ask', organize_files: 'ask' } as const
  const plan = planCalls(
    tools,
    { trust: 'trusted' } as EngineRun,
    { approvals } as unknown as RunAgent,
    1,
    { calls: requested } as never,
    [],
    new Map(),
    { namedHosts: new Set(), knownUrls: new Set() },
    new Date(),
  )
  expect(plan.approvals.map(({ summary }) => summary)).toEqual([
    'Edit the canvas: create 1',
    expect.stringContaining('old.txt'),
  ])
})
