import type { Sql } from '../../../../database/database.ts'
import type { ModelMessage, ToolDeclaration } from '../../../../language-models/stream-call.ts'
import { sha256 } from '../../../../security/digest.ts'
import {
  currentSummaries,
  listForContext,
  listNewestUserMessage,
  listRecent,
  listSummaries,
  type MessagePart,
  type MessageRow,
} from '../../conversations/conversations.ts'
import type { Prompt, ReadParts, RunAgent, Window } from '../state/prompt.ts'
import type { EngineRun } from '../state/run-row.ts'
import { type RunTool, toInputSchema } from '../state/run-tool.ts'
import { toModelMessage, withoutForeignReasoning } from './model-messages.ts'
import { runMemory } from './run-memory.ts'
import { systemPrompt } from './system-prompt.ts'

const CHARACTERS_PER_TOKEN = 4
/** The rest is for the answer and estimation errors. */
const WINDOW_SHARE = 0.75
/** Earlier summaries above this are merged, or they would fill the window. */
const SUMMARIES_SHARE = 0.15

/**
 * Ordered for providers' prompt caches: tools, the system prompt, the fixed part (the first message, later summaries,
 * and memory matching the newest message), then recent messages. An overlong prompt first loses old, large tool
 * outputs. If it's still too long, `toSummarize` contains the messages to summarize before the model is called.
 */
export async function buildPrompt(
  sql: Sql,
  run: EngineRun,
  agent: RunAgent,
  tools: ReadonlyMap<string, RunTool>,
  { tokens: window, isExceeded }: Window,
  parts?: ReadParts,
): Promise<Prompt> {
  const [history, system, memory] = await Promise.all([
    readConversation(sql, run.orgId, run.sessionId, parts),
    systemPrompt(sql, run, agent, parts),
    runMemory(sql, run, agent, parts),
  ])
  const conversation = { ...history, memory }
  const { declared, characters: toolCharacters } = declarationsOf(tools)
  const arrange = (isElided: boolean) => {
    const messages = arrangeMessages({ ...conversation, isElided }, run.model)
    const characters = system.length + JSON.stringify(messages).length + toolCharacters
    return { isElided, messages, tokens: Math.ceil(characters / CHARACTERS_PER_TOKEN) }
  }
  const isTooLong = ({ tokens }: { tokens: number }) => isExceeded || tokens > window * WINDOW_SHARE
  const whole = arrange(false)
  const arranged = isTooLong(whole) ? arrange(true) : whole
  const { summaries, pinned, recent } = conversation
  const toSummarize = isTooLong(arranged) ? messagesToSummarize(recent) : []
  const texts = summaries.map(({ content }) => content)
  const areSummariesLong = texts.join('').length / CHARACTERS_PER_TOKEN > window * SUMMARIES_SHARE
  return {
    system,
    messages: arranged.messages,
    tools: declared,
    toSummarize,
    toMerge: toSummarize.length > 0 && areSummariesLong ? texts : [],
    context: {
      tokens: arranged.tokens,
      fromSeq: recent[0]?.seq ?? 0,
      toSeq: recent.at(-1)?.seq ?? 0,
      summaryId: summaries.at(-1)?.id ?? null,
      pinnedSeq: pinned[0]?.seq ?? null,
      hasMemory: memory !== null,
      isElided: arranged.isElided,
      systemHash: hashPrompt(system),
    },
  }
}

async function readConversation(
  sql: Sql,
  orgId: string,
  sessionId: string,
  parts: ReadParts | undefined,
): Promise<Omit<Conversation, 'isElided' | 'memory'>> {
  const readBefore = parts?.read?.messages ?? []
  const [allSummaries, newMessages] = await Promise.all([
    parts?.hasSummaries === false ? [] : listSummaries(sql, orgId, sessionId),
    listRecent(sql, orgId, sessionId, readBefore.at(-1)?.seq ?? 0),
  ])
  const summaries = currentSummaries(allSummaries)
  const upto = summaries.at(-1)?.uptoSeq ?? 0
  const recent = [...readBefore, ...newMessages].filter(({ seq }) => seq > upto)
  if (parts?.read) parts.read.messages = recent
  if (upto === 0) return { first: [], summaries, pinned: [], recent }
  const [first, last] = await Promise.all([
    listForContext(sql, orgId, sessionId, 0, 1),
    listNewestUserMessage(sql, orgId, sessionId),
  ])
  const pinned = last.filter(({ seq }) => seq <= upto && seq !== first[0]?.seq)
  return { first, summaries, pinned, recent }
}

export const hashPrompt = (system: string) => sha256(system).toString('base64url')

export interface Conversation {
  /** If a summary replaces the messages after it. */
  first: readonly MessageRow[]
  summaries: readonly { id: string; content: string }[]
  memory: string | null
  /** The newest user message, if a summary replaces it. */
  pinned: readonly MessageRow[]
  recent: readonly MessageRow[]
  /** Old, large tool outputs are left out. */
  isElided: boolean
}

export const arrangeMessages = (
  { first, summaries, memory, pinned, recent, isElided }: Conversation,
  model: string,
): ModelMessage[] =>
  withoutForeignReasoning(
    [
      ...first.map(toModelMessage),
      ...summaries.map(({ content }) =>
        dataMessage(`Summary of earlier messages in this conversation:\n\n${content}`),
      ),
      ...(memory === null ? [] : [dataMessage(memory)]),
      ...pinned.map(toModelMessage),
      ...(isElided ? elideOutputs([...recent]) : recent).map(toModelMessage),
    ],
    model,
  )

const dataMessage = (text: string): ModelMessage => ({ role: 'user', content: [{ type: 'text', text }] })

export function declareTools(tools: ReadonlyMap<string, RunTool>): Record<string, ToolDeclaration> {
  const sorted = [...tools.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return Object.fromEntries(
    sorted.map(({ name, description, input, inputSchema = toInputSchema(input) }) => [
      name,
      { description, inputSchema },
    ]),
  )
}

const declarations = new WeakMap<
  ReadonlyMap<string, RunTool>,
  { declared: Record<string, ToolDeclaration>; characters: number }
>()

/** Cached, because each agent step declares the same tools. */
function declarationsOf(tools: ReadonlyMap<string, RunTool>) {
  const cached = declarations.get(tools)
  if (cached) return cached
  const declared = declareTools(tools)
  const result = { declared, characters: JSON.stringify(declared).length }
  declarations.set(tools, result)
  return result
}

/** Larger outputs are left out, except the newest ones. */
const LARGE_BYTES = 4096
const NEWEST_KEPT = 6

/** The messages keep the outputs, and the model can read them again. */
function elideOutputs(messages: MessageRow[]): MessageRow[] {
  let seen = 0
  const elided = messages.toReversed().map((message): MessageRow => {
    if (message.role !== 'tool') return message
    const content = message.content.toReversed().map((part) => {
      seen += 1
      return seen > NEWEST_KEPT && sizeOf(part) > LARGE_BYTES ? withoutOutput(part, message.seq) : part
    })
    return { ...message, content: content.reverse() }
  })
  return elided.reverse()
}

const sizeOf = ({ output }: MessagePart) => JSON.stringify(output ?? null).length

const withoutOutput = (part: MessagePart, seq: number): MessagePart => ({
  ...part,
  output: {
    type: 'text',
    value: `[This output was left out to save space. Call read_history with from ${seq} and to ${seq} to see it.]`,
  },
})

/** The newest exchanges, never summarized. */
const EXCHANGES_KEPT = 3

/**
 * Everything after the last summary, except the first message and the newest exchanges. An exchange is a user message
 * with everything up to the next. If nothing is older, an exchange is a model answer with its calls, and the newest
 * user message stays beside the summary.
 */
function messagesToSummarize(recent: readonly MessageRow[]): MessageRow[] {
  const byPeople = messagesBefore(recent, startOf(recent, 'user'))
  return byPeople.length > 0 ? byPeople : messagesBefore(recent, startOf(recent, 'assistant'))
}

const startOf = (recent: readonly MessageRow[], role: MessageRow['role']) =>
  recent.filter((message) => message.role === role).at(-EXCHANGES_KEPT)?.seq ?? 0

/** None if that leaves only the newest user message, which stays in the context. */
function messagesBefore(recent: readonly MessageRow[], start: number): MessageRow[] {
  const lastOfPeople = recent.findLast(({ role }) => role === 'user')
  const older = recent.filter(({ seq }) => seq < start && seq > 1)
  return older.some((message) => message !== lastOfPeople) ? older : []
}
