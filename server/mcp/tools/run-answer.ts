import { setTimeout as sleep } from 'node:timers/promises'
import type { z } from 'zod'
import { type AgentRun, agentRuns } from '../../../contract/agents/agent-runs.ts'
import { sessions } from '../../../contract/agents/sessions.ts'
import { fence } from '../../models/fence.ts'
import { callEndpoint } from '../../tools/call-endpoint.ts'
import { clip } from '../../tools/clip.ts'
import type { McpToolCall } from './mcp-tool.ts'

type Run = z.output<typeof AgentRun>

const FIRST_POLL_MS = 100
const POLL_MS_MAX = 1000
const ANSWER_BYTES = 32_000
const MESSAGES_MAX = 20

/** Waits until the run has ended or waits for a person, at most `seconds`. */
export async function waitForRun(call: McpToolCall, id: string, seconds: number): Promise<Run> {
  const endsAt = performance.now() + seconds * 1000
  let pause = FIRST_POLL_MS
  for (;;) {
    const run = await callEndpoint(call, agentRuns.get, { params: { id } })
    const remainingMs = endsAt - performance.now()
    if (isSettled(run) || remainingMs <= 0) return run
    await sleep(Math.min(pause, remainingMs), undefined, { signal: call.signal() })
    pause = Math.min(pause * 1.5, POLL_MS_MAX)
  }
}

const NEEDS_PERSON = ['approval', 'input', 'budget', 'connection']

const isSettled = ({ status, wait }: Run) =>
  ['succeeded', 'failed', 'canceled'].includes(status) ||
  (status === 'waiting' && NEEDS_PERSON.includes(wait?.for ?? ''))

/** The run as text for a model, with the next action. */
export async function describeRun(call: McpToolCall, run: Run) {
  const { id, sessionId, agentName, projectId, status, wait, error, steps, cost } = run
  const answer = await findAnswer(call, run)
  return {
    runId: id,
    sessionId,
    agent: agentName,
    projectId,
    status,
    steps,
    cost: `${cost.amount} ${cost.currency}`,
    ...(wait && { waitsFor: wait.for }),
    ...(error && { error }),
    ...(answer && { answer }),
    next: nextOf(run),
  }
}

function nextOf({ id, status, wait, sessionId }: Run): string {
  if (status === 'succeeded') return `Done. To continue, call start_run with session ${sessionId}`
  if (status === 'failed' || status === 'canceled')
    return `The run has ended. To try again, call start_run with session ${sessionId}`
  if (status === 'waiting' && wait?.for === 'approval')
    return 'A person has to approve a tool call of the agent in the dashboard: you cannot. Then call get_run'
  if (status === 'waiting' && wait?.for === 'input')
    return `The agent asks a question. Answer with start_run and session ${sessionId}`
  if (status === 'waiting' && NEEDS_PERSON.includes(wait?.for ?? ''))
    return 'A person has to change a setting in the dashboard. Then call get_run'
  return `The run has not ended. Call get_run with run ${id} and wait`
}

/** The last text that the agent wrote in this run. */
async function findAnswer(call: McpToolCall, { id, sessionId }: Run): Promise<string | null> {
  const { items } = await callEndpoint(call, sessions.messages, {
    params: { id: sessionId },
    query: { limit: MESSAGES_MAX },
  })
  const last = items.find(({ role, runId, text }) => role === 'assistant' && runId === id && text !== '')
  if (!last) return null
  const { text } = clip(last.text, ANSWER_BYTES)
  return last.trust === 'trusted' ? text : fence(text, 'an agent that has read content from outside')
}
