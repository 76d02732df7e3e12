import { z } from 'zod'
import { sessions } from '../../../contract/agents/sessions.ts'
import { Id } from '../../../contract/fields.ts'
import { callEndpoint } from '../../tools/call-endpoint.ts'
import { projectInput, projectOf } from '../../tools/project-ref.ts'
import { agentIdOf } from './agent-ref.ts'
import type { McpTool, McpToolCall } from './mcp-tool.ts'
import { describeRun, waitForRun } from './run-answer.ts'

/** Below the time limit of clients: that of Codex is 60 seconds. */
const WAIT_SECONDS_MAX = 50
const MESSAGE_CHARACTERS_MAX = 20_000

const wait = (seconds: number) =>
  z.number().min(0).max(WAIT_SECONDS_MAX).default(seconds).describe('Seconds to wait for the end')

const startInput = z.strictObject({
  message: z.string().min(1).max(MESSAGE_CHARACTERS_MAX).describe('The task, or the next message'),
  project: projectInput,
  agent: z.string().min(1).max(100).optional().describe('Id or exact name; default: the first agent'),
  session: Id.optional().describe('Continues this conversation, with its agent and project'),
  wait: wait(30),
})
type StartInput = z.output<typeof startInput>

export const startRun: McpTool<StartInput> = {
  name: 'start_run',
  description:
    'Ask an agent of Atrium to do something in a project, and wait for its answer. Use it for work that an agent should do under its own rules; you get the run id if it takes longer.',
  input: startInput,
  effect: 'once',
  risk: 'none',
  async run(call, input) {
    const { runId } = await send(call, input)
    return describeRun(call, await waitForRun(call, runId, input.wait))
  },
}

async function send(
  call: McpToolCall,
  { message, project: ref, agent, session }: StartInput,
): Promise<{ runId: string }> {
  const { idempotencyKey } = call
  const content = { content: message }
  if (session) {
    const params = { id: session }
    const { run } = await callEndpoint(call, sessions.send, { params, body: content, idempotencyKey })
    return { runId: run.id }
  }
  const projectId = (await projectOf(call, ref)).id
  const agentId = agent ? await agentIdOf(call, agent) : undefined
  const body = { projectId, agentId, message: content }
  const created = await callEndpoint(call, sessions.create, { body, idempotencyKey })
  return { runId: created.run!.id }
}

const getInput = z.strictObject({ run: Id.describe('The id of a run'), wait: wait(0) })

export const getRun: McpTool<z.output<typeof getInput>> = {
  name: 'get_run',
  description:
    'Get the state of a run of an agent and its answer. Use it after start_run if the run has not ended.',
  input: getInput,
  output: z.object({
    runId: z.string(),
    sessionId: z.string(),
    agent: z.string(),
    projectId: z.string(),
    status: z.enum(['queued', 'running', 'waiting', 'succeeded', 'failed', 'canceled']),
    steps: z.number(),
    cost: z.string(),
    waitsFor: z.string().optional(),
    error: z.string().optional(),
    answer: z.string().optional(),
    next: z.string(),
  }),
  effect: 'read',
  risk: 'none',
  run: async (call, { run, wait: seconds }) => describeRun(call, await waitForRun(call, run, seconds)),
}
