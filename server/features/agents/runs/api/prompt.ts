import type { agentRuns } from '../../../../../contract/agents/agent-runs.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { Context } from '../../../../context.ts'
import { notFound, raise } from '../../../../errors.ts'
import { redactSecrets } from '../../../../security/redact-secrets.ts'
import { listRunMemories } from '../../../knowledge/memory/memory.ts'
import { findVersion } from '../../agents/agents.ts'
import {
  currentSummaries,
  listForContext,
  listRange,
  listSummaries,
} from '../../conversations/conversations.ts'
import { loadRules } from '../../guardrails/guardrails.ts'
import { loadDocuments } from '../context/documents.ts'
import {
  arrangeMessages,
  type Conversation,
  declareTools,
  elidedBefore,
  hashPrompt,
  loadFormats,
  runsOf,
} from '../context/prompt.ts'
import { systemPrompt } from '../context/system-prompt.ts'
import { redactMessages } from '../screening/screen-input.ts'
import type { Documents, PromptContext } from '../state/prompt.ts'
import { allToolsFor, withOutsideTools } from '../tools/all-tools.ts'
import { loadOutsideTools } from '../tools/outside-tools.ts'
import { findAgentRun, findOutput, type RunView } from './run-queries.ts'
import { findAttempt } from './steps.ts'

/** Messages, summaries and agent versions never change. Guardrails and outside tools are the current ones. */
export async function readPrompt(
  ctx: Context<'vault'>,
  { id, n, attempt }: InputOf<typeof agentRuns.prompt>,
) {
  const run = await findAgentRun(ctx, id)
  const step = (await findAttempt(ctx.sql, run.orgId, id, n, attempt ?? null)) ?? raise(notFound('Step'))
  const settings =
    (await findVersion(ctx.sql, run.orgId, run.agentId, run.agentVersion)) ?? raise(notFound('Agent'))
  const { context, ...call } = step
  // Nothing calls the tools.
  const outside = await loadOutsideTools(ctx.sql, run, settings, { ...ctx, connectors: {} })
  const system = await systemPrompt(ctx.sql, run, { ...settings, ...outside })
  const rules = await loadRules(ctx.sql, run.orgId, settings.guardrails)
  const arranged = arrangeMessages(await readConversation(ctx, run, context), step.model)
  const messages = await redactMessages(rules.input, arranged.messages)
  const own = allToolsFor(settings.tools, { hasSkills: settings.skills.length > 0 })
  const tools = declareTools(withOutsideTools(own, { ...settings, ...outside }))
  return {
    ...call,
    tokens: context.tokens,
    system: redactSecrets(system),
    hasSystemChanged: hashPrompt(system) !== context.systemHash,
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
  { orgId, id, sessionId }: RunView,
  {
    summaryId,
    pinnedSeq,
    hasMemory,
    isElided,
    elidedOutputs,
    documentsMax = 0,
    fromSeq,
    toSeq,
  }: PromptContext,
): Promise<Conversation> {
  const range = (from: number, to: number) => listRange(sql, orgId, sessionId, { fromSeq: from, toSeq: to })
  const [first, summaries, pinned, recent] = await Promise.all([
    summaryId === null ? [] : listForContext(sql, orgId, sessionId, 0, 1),
    summaryId === null ? [] : listSummaries(sql, orgId, sessionId),
    pinnedSeq === null ? [] : range(pinnedSeq, pinnedSeq),
    range(fromSeq, toSeq),
  ])
  const { outputSchema } = await findOutput(sql, orgId, id)
  const last = summaries.findIndex(({ id }) => id === summaryId)
  const shown = currentSummaries(summaries.slice(0, last + 1))
  // Earlier versions sent only the run's own memory.
  const runs = elidedOutputs === undefined ? [id] : runsOf([...first, ...pinned, ...recent])
  const documents: Documents = new Map()
  if (documentsMax > 0) await loadDocuments(sql, orgId, [...first, ...pinned, ...recent], documents)
  return {
    first,
    summaries: shown,
    memories: await listRunMemories(sql, orgId, hasMemory ? runs : []),
    formats: await loadFormats(sql, { orgId, id, outputSchema }, [...first, ...pinned, ...recent]),
    pinned,
    recent,
    documents,
    documentsMax,
    elidedOutputs: elidedOutputs ?? (isElided ? elidedBefore(recent) : 0),
  }
}
