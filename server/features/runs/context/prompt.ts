import { z } from 'zod'
import type { Sql } from '../../../database/database.ts'
import type { ModelMessage, ToolDeclaration } from '../../../models/stream-call.ts'
import { sha256 } from '../../../security/digest.ts'
import { listForContext, listLastOfPeople, listSummaries, type MessageRow } from '../../sessions/sessions.ts'
import type { Prompt, RunAgent, Window } from '../engine/engine.ts'
import type { EngineRun } from '../engine/run-row.ts'
import type { RunTool } from '../tools/run-tool.ts'
import { elideOutputs } from './elide.ts'
import { messagesToFold } from './fold.ts'
import { toModelMessage, withoutForeignReasoning } from './model-messages.ts'
import { systemPrompt } from './system-prompt.ts'

const CHARACTERS_PER_TOKEN = 4
/** The rest of the window is for the answer, and for the error of the estimate. */
const WINDOW_SHARE = 0.75

/**
 * What the model receives. The order suits the prompt caches of providers: tools, then the system prompt, then what stays
 * (the first message and the summaries of what followed it), then the recent messages. A prompt that is too long loses old,
 * large outputs of tools first; if it is still too long, `fold` holds the messages to summarize before the model is asked.
 */
export async function buildPrompt(
  sql: Sql,
  run: EngineRun,
  agent: RunAgent,
  tools: ReadonlyMap<string, RunTool>,
  { tokens: window, isExceeded }: Window,
): Promise<Prompt> {
  const [conversation, system] = await Promise.all([
    readConversation(sql, run.orgId, run.sessionId),
    systemPrompt(sql, run, agent),
  ])
  const declared = declareTools(tools)
  const arrange = (isElided: boolean) => {
    const messages = arrangeMessages({ ...conversation, isElided }, run.model)
    const characters = JSON.stringify([system, messages, declared]).length
    return { isElided, messages, tokens: Math.ceil(characters / CHARACTERS_PER_TOKEN) }
  }
  const isTooLong = ({ tokens }: { tokens: number }) => isExceeded || tokens > window * WINDOW_SHARE
  const whole = arrange(false)
  const arranged = isTooLong(whole) ? arrange(true) : whole
  const { summaries, pinned, recent } = conversation
  return {
    system,
    messages: arranged.messages,
    tools: declared,
    fold: isTooLong(arranged) ? messagesToFold(recent) : [],
    context: {
      tokens: arranged.tokens,
      fromSeq: recent[0]?.seq ?? 0,
      toSeq: recent.at(-1)?.seq ?? 0,
      summaryId: summaries.at(-1)?.id ?? null,
      pinnedSeq: pinned[0]?.seq ?? null,
      isElided: arranged.isElided,
      systemHash: hashOf(system),
    },
  }
}

async function readConversation(
  sql: Sql,
  orgId: string,
  sessionId: string,
): Promise<Omit<Conversation, 'isElided'>> {
  const summaries = await listSummaries(sql, orgId, sessionId)
  const upto = summaries.at(-1)?.uptoSeq ?? 0
  const [first, last, recent] = await Promise.all([
    upto > 0 ? listForContext(sql, orgId, sessionId, 0, 1) : [],
    upto > 0 ? listLastOfPeople(sql, orgId, sessionId) : [],
    listForContext(sql, orgId, sessionId, upto),
  ])
  const pinned = last.filter(({ seq }) => seq <= upto && seq !== first[0]?.seq)
  return { first, summaries, pinned, recent }
}

export const hashOf = (system: string) => sha256(system).toString('base64url')

export interface Conversation {
  /** The first message, if a summary stands for what followed it. */
  first: readonly MessageRow[]
  summaries: readonly { id: string; content: string }[]
  /** The newest message of a person, if a summary stands for it. */
  pinned: readonly MessageRow[]
  recent: readonly MessageRow[]
  /** Old, large outputs of tools are left out. */
  isElided: boolean
}

export const arrangeMessages = (
  { first, summaries, pinned, recent, isElided }: Conversation,
  model: string,
): ModelMessage[] =>
  withoutForeignReasoning(
    [
      ...first.map(toModelMessage),
      ...summaries.map(({ content }) => summaryMessage(content)),
      ...pinned.map(toModelMessage),
      ...(isElided ? elideOutputs([...recent]) : recent).map(toModelMessage),
    ],
    model,
  )

const summaryMessage = (content: string): ModelMessage => ({
  role: 'user',
  content: [{ type: 'text', text: `A summary of earlier messages of this conversation:\n\n${content}` }],
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
