import { z } from 'zod'
import type { Sql } from '../../../database/database.ts'
import type { ModelMessage, ToolDeclaration } from '../../../models/stream-call.ts'
import { sha256 } from '../../../security/digest.ts'
import { listForContext, type MessageRow } from '../../sessions/sessions.ts'
import type { Prompt, RunAgent } from '../engine/engine.ts'
import type { EngineRun } from '../engine/run-row.ts'
import type { RunTool } from '../tools/run-tool.ts'
import { elideOutputs } from './elide.ts'
import { latestSummary } from './summary-queries.ts'
import { systemPrompt } from './system-prompt.ts'

const CHARACTERS_PER_TOKEN = 4

/**
 * What the model receives. The order suits the prompt caches of providers: tools, then the system prompt, then what stays
 * (the first message and the summary of what followed it), then the recent messages.
 */
export async function buildPrompt(
  sql: Sql,
  run: EngineRun,
  agent: RunAgent,
  tools: ReadonlyMap<string, RunTool>,
): Promise<Prompt> {
  const summary = await latestSummary(sql, run.orgId, run.sessionId)
  const [first, recent, system] = await Promise.all([
    summary ? listForContext(sql, run.orgId, run.sessionId, 0, 1) : [],
    listForContext(sql, run.orgId, run.sessionId, summary?.uptoSeq ?? 0),
    systemPrompt(sql, run, agent),
  ])
  const messages = arrangeMessages({ first, summary, recent }, run.model)
  const declared = declareTools(tools)
  const characters = JSON.stringify([system, messages, declared]).length
  return {
    system,
    messages,
    tools: declared,
    context: {
      tokens: Math.ceil(characters / CHARACTERS_PER_TOKEN),
      fromSeq: recent[0]?.seq ?? 0,
      toSeq: recent.at(-1)?.seq ?? 0,
      summaryId: summary?.id ?? null,
      systemHash: hashOf(system),
    },
  }
}

export const hashOf = (system: string) => sha256(system).toString('base64url')

interface Conversation {
  /** The first message, if a summary stands for what followed it. */
  first: MessageRow[]
  summary: { content: string } | undefined
  recent: MessageRow[]
}

export const arrangeMessages = ({ first, summary, recent }: Conversation, model: string) =>
  withoutForeignReasoning(
    [
      ...first.map(toModelMessage),
      ...(summary ? [summaryMessage(summary.content)] : []),
      ...elideOutputs(recent).map((message) => toModelMessage(message)),
    ],
    model,
  )

const toModelMessage = ({ role, content }: MessageRow) => ({ role, content }) as unknown as ModelMessage

const summaryMessage = (content: string): ModelMessage => ({
  role: 'user',
  content: [{ type: 'text', text: `A summary of the conversation so far:\n\n${content}` }],
})

export function declareTools(tools: ReadonlyMap<string, RunTool>): Record<string, ToolDeclaration> {
  const sorted = [...tools.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return Object.fromEntries(
    sorted.map(({ name, description, input }) => [name, { description, inputSchema: schemaOf(input) }]),
  )
}

const schemas = new WeakMap<z.ZodType, object>()

/** The schemas of all tools took 3 ms of each step. */
function schemaOf(input: z.ZodType): object {
  const schema = schemas.get(input) ?? z.toJSONSchema(input, { io: 'input' })
  schemas.set(input, schema)
  return schema
}

/** Reasoning is signed by its provider: another one refuses it. */
function withoutForeignReasoning(messages: ModelMessage[], model: string): ModelMessage[] {
  const provider = model.slice(0, model.indexOf('/'))
  return messages.map((message) => {
    if (message.role !== 'assistant' || typeof message.content === 'string') return message
    const content = message.content.filter(
      (part) => part.type !== 'reasoning' || provider in (part.providerOptions ?? {}),
    )
    return { ...message, content }
  })
}
