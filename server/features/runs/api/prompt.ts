import type { agentRuns } from '../../../../contract/agents/agent-runs.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { Context } from '../../../context.ts'
import { notFound, raise } from '../../../errors.ts'
import { redactSecrets } from '../../../security/redact-secrets.ts'
import { findVersion } from '../../agents/agents.ts'
import { listForContext, listRange, listSummaries } from '../../sessions/sessions.ts'
import { readHistory } from '../context/history.ts'
import { arrangeMessages, type Conversation, declareTools, hashOf } from '../context/prompt.ts'
import { systemPrompt } from '../context/system-prompt.ts'
import type { PromptContext } from '../engine/engine.ts'
import { allToolsFor } from '../tools/all-tools.ts'
import { findAgentRun, type RunView } from './run-queries.ts'
import { findAttempt } from './step-queries.ts'

/** Builds the prompt of an attempt again: messages, summaries and versions of agents never change. */
export async function readPrompt(ctx: Context, { id, n, attempt }: InputOf<typeof agentRuns.prompt>) {
  const run = await findAgentRun(ctx, id)
  const step = (await findAttempt(ctx.sql, run.orgId, id, n, attempt ?? null)) ?? raise(notFound('Step'))
  const settings =
    (await findVersion(ctx.sql, run.orgId, run.agentId, run.agentVersion)) ?? raise(notFound('Agent'))
  const { context, ...call } = step
  const system = await systemPrompt(ctx.sql, run, settings)
  const messages = arrangeMessages(await readConversation(ctx, run, context), step.model)
  const tools = declareTools(allToolsFor(settings.tools, { history: readHistory }))
  return {
    ...call,
    tokens: context.tokens,
    system: redactSecrets(system),
    hasSystemChanged: hashOf(system) !== context.systemHash,
    messages: messages.map(({ role, content }) => ({ role, content: redactSecrets(content) })),
    tools: Object.entries(tools).map(([name, { description, inputSchema }]) => ({
      name,
      description,
      inputSchema,
    })),
  }
}

async function readConversation(
  { sql }: Context,
  { orgId, sessionId }: RunView,
  { summaryId, pinnedSeq, isElided, fromSeq, toSeq }: PromptContext,
): Promise<Conversation> {
  const range = (from: number, to: number) => listRange(sql, orgId, sessionId, { fromSeq: from, toSeq: to })
  const [first, summaries, pinned, recent] = await Promise.all([
    summaryId === null ? [] : listForContext(sql, orgId, sessionId, 0, 1),
    summaryId === null ? [] : listSummaries(sql, orgId, sessionId),
    pinnedSeq === null ? [] : range(pinnedSeq, pinnedSeq),
    range(fromSeq, toSeq),
  ])
  const last = summaries.findIndex(({ id }) => id === summaryId)
  return { first, summaries: summaries.slice(0, last + 1), pinned, recent, isElided }
}
