import { z } from 'zod'
import { badRequest } from '../../errors.ts'
import { fence } from '../../language-models/fence.ts'
import { callEndpoint } from '../call-endpoint.ts'
import { clip } from '../clip.ts'
import { isTrusted, requireTrust, resolveProject } from '../project-ref.ts'
import { rankByTerms } from '../rank-by-terms.ts'
import type { Tool, ToolCall } from '../tool.ts'
import { type Action, type Actions, mergeInputSchema, splitInput } from './actions.ts'
import { COVERED, COVERED_IN_RUNS, LEAVING_ACTIONS, OUTSIDE_ACTIONS, SENDING_ACTIONS } from './reachable.ts'

const FOUND_MAX = 5
const OUTPUT_BYTES = 32_000

const searchInput = z.strictObject({ words: z.string().min(1).max(200).describe('What you want to do') })

export const searchActions = (all: Actions): Tool<z.output<typeof searchInput>> => ({
  name: 'search_actions',
  description:
    'Find API actions that no other tool offers, such as snapshots, copies, members, quotas, exports and webhooks, with their inputs for run_action.',
  input: searchInput,
  effect: 'read',
  risk: 'none',
  run: async (_call, { words }) => {
    const actions = findActions(all, words, FOUND_MAX).map(({ name, endpoint, effect }) => ({
      action: name,
      summary: endpoint.summary,
      ...(endpoint.description && { description: endpoint.description }),
      changes: effect === 'transaction',
      input: mergeInputSchema(endpoint),
    }))
    return actions.length > 0 ? { actions } : { actions, all: [...all.keys()].join(', ') }
  },
})

const runInput = z.strictObject({
  action: z.string().min(1).max(100),
  input: z.record(z.string(), z.unknown()).default({}),
})
type RunInput = z.output<typeof runInput>

export const runAction = (all: Actions): Tool<RunInput> => ({
  name: 'run_action',
  description:
    'Run an action that search_actions found. Its input has the fields from the schema you got there.',
  input: runInput,
  effect: ({ action }) => all.get(action)?.effect ?? 'read',
  risk: ({ action }) => riskOf(all, action),
  isOutside: (output) => (output as { outside?: boolean }).outside === true,
  grantName: ({ action }) => `run_action ${action}`,
  summarize: ({ action, input }) =>
    `${all.get(action)?.endpoint.summary ?? action}: ${clip(JSON.stringify(input), 500).text}`,
  async run(call, { action: name, input }) {
    const action = all.get(name) ?? unknownAction(all, name)
    await requireOwnProject(call, action, input)
    const { endpoint, effect } = action
    const idempotencyKey = effect === 'idempotent' && endpoint.idempotent ? call.idempotencyKey : undefined
    const output = await callEndpoint(call, endpoint, {
      ...splitInput(endpoint, input),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    })
    const text = JSON.stringify(output)
    if (OUTSIDE_ACTIONS[action.name]?.(output as never))
      return { source: action.name, content: fence(text, action.name), outside: true }
    // A change's result is stored with it, so it must be small. A long read result becomes a file.
    if (action.effect === 'read' || Buffer.byteLength(text) <= OUTPUT_BYTES) return output
    return { done: true, output: clip(text, OUTPUT_BYTES).text, note: 'The output is cut' }
  },
})

function riskOf(all: Actions, name: string): 'delete' | 'send' | 'none' {
  if (all.get(name)?.endpoint.method === 'DELETE') return 'delete'
  return all.has(name) && SENDING_ACTIONS.has(name) ? 'send' : 'none'
}

function unknownAction(all: Actions, name: string): never {
  const tool = Object.entries({ ...COVERED, ...COVERED_IN_RUNS }).find(([, names]) =>
    (names as string[]).includes(name),
  )?.[0]
  if (tool) throw badRequest(`action: there is no action ${name}: use the tool ${tool}`)
  const similar = findActions(all, name, FOUND_MAX).map((action) => action.name)
  throw badRequest(
    `action: there is no action ${name}. ${similar.length > 0 ? `Similar: ${similar.join(', ')}` : 'Use search_actions'}`,
  )
}

/** Below `trusted`, a run uses only its own project's actions. */
async function requireOwnProject(
  call: ToolCall,
  { name, endpoint }: Action,
  input: Record<string, unknown>,
): Promise<void> {
  if (isTrusted(call)) return
  if (LEAVING_ACTIONS.has(name)) requireTrust(call)
  const field = /^\/api\/v1\/projects\/:(\w+)/.exec(endpoint.path)?.[1]
  if (field === undefined) return requireTrust(call)
  const ref = input[field]
  if (typeof ref !== 'string' || ref === '') throw badRequest(`input.${field}: must be the project id`)
  await resolveProject(call, ref)
}

/** Ranks matches in the name first, then the summary, then the rest. */
export const findActions = (actions: Actions, query: string, limit: number): Action[] =>
  rankByTerms(actions.values(), query, limit, ({ name, endpoint }) => [
    [`${endpoint.path} ${endpoint.description ?? ''}`, 1],
    [endpoint.summary, 3],
    [name, 4],
  ])
