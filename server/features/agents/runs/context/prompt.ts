import type { Sql } from '../../../../database/database.ts'
import type { ModelMessage, ToolDeclaration } from '../../../../language-models/stream-call.ts'
import { sha256 } from '../../../../security/digest.ts'
import { listRunMemories } from '../../../knowledge/memory/memory.ts'
import {
  currentSummaries,
  listForContext,
  listNewestUserMessage,
  listRecent,
  listSummaries,
  type MessagePart,
  type MessageRow,
} from '../../conversations/conversations.ts'
import { listFormats } from '../results/queries.ts'
import { describeFormat, FORMAT_REMINDER } from '../results/words.ts'
import { imagesOf, isImagePart } from '../state/image-parts.ts'
import { type ImageInput, imageTokens } from '../state/image-tokens.ts'
import type { Documents, ImageSizes, Prompt, ReadParts, RunAgent, Window } from '../state/prompt.ts'
import type { EngineRun } from '../state/run-row.ts'
import { type RunTool, toInputSchema } from '../state/run-tool.ts'
import { documentReader, loadDocuments } from './documents.ts'
import { loadImageSizes, sizeOfImage } from './image-sizes.ts'
import { toModelMessage, withoutForeignReasoning } from './model-messages.ts'
import { runMemory } from './run-memory.ts'
import { systemPrompt } from './system-prompt.ts'

const CHARACTERS_PER_TOKEN = 4
/** The rest is for the answer and estimation errors. */
const WINDOW_SHARE = 0.75
/** Of the window, for attached documents. Later ones are searched. */
const DOCUMENTS_SHARE = 0.4
/** Earlier summaries above this are merged, or they would fill the window. */
const SUMMARIES_SHARE = 0.15

/**
 * Append-only, for providers' prompt caches: tools, the system prompt, the first message, later summaries, and recent
 * messages, with each run's memory before its first user message. An overlong prompt first loses old, large tool
 * outputs. If it's still too long, `toSummarize` contains the messages to summarize before the model is called.
 */
export async function buildPrompt(
  sql: Sql,
  run: EngineRun,
  agent: RunAgent,
  tools: ReadonlyMap<string, RunTool>,
  window: Window,
  parts?: ReadParts,
): Promise<Prompt> {
  const [history, system, memory] = await Promise.all([
    readConversation(sql, run, agent, window, parts),
    systemPrompt(sql, run, agent, parts),
    runMemory(sql, run, agent, parts),
  ])
  if (memory) history.memories.set(memory.runId, memory.content)
  const images = { ...window.images, sizes: history.imageSizes }
  const { declared, characters: toolCharacters } = declarationsOf(tools)
  const arrange = (elidedOutputs: number) => {
    const { messages, hasDocuments } = arrangeMessages({ ...history, elidedOutputs }, run.model)
    const characters = system.length + weigh(messages, images) + toolCharacters
    const hasUntrustedTexts = hasDocuments || (images.isDescribed && messages.some(hasImage))
    const tokens = Math.ceil(characters / CHARACTERS_PER_TOKEN)
    return { elidedOutputs, messages, hasUntrustedTexts, tokens }
  }
  const { isExceeded } = window
  const isTooLong = ({ tokens }: { tokens: number }) => isExceeded || tokens > window.tokens * WINDOW_SHARE
  const whole = arrange(0)
  const elision = isTooLong(whole)
    ? planElision(history, run.model, system.length + toolCharacters, window)
    : NO_ELISION
  const arranged = elision.outputs > 0 ? arrange(elision.outputs) : whole
  const { summaries, pinned, recent } = history
  const toSummarize = isTooLong(arranged) || !elision.isEnough ? messagesToSummarize(recent) : []
  const texts = summaries.map(({ content }) => content)
  const areSummariesLong = texts.join('').length / CHARACTERS_PER_TOKEN > window.tokens * SUMMARIES_SHARE
  return {
    system,
    messages: arranged.messages,
    hasUntrustedTexts: arranged.hasUntrustedTexts,
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
      elidedOutputs: arranged.elidedOutputs,
      ...(history.documents.size > 0 && { documentsMax: history.documentsMax }),
      systemHash: hashPrompt(system),
    },
  }
}

export interface Conversation {
  /** If a summary replaces the messages after it. */
  first: readonly MessageRow[]
  summaries: readonly { id: string; content: string }[]
  /** The last user message before `recent`, if a summary replaces it and begins within its exchange. */
  pinned: readonly MessageRow[]
  recent: readonly MessageRow[]
  /** By run. */
  memories: ReadonlyMap<string, string>
  /** Result formats, by run. */
  formats: ReadonlyMap<string, string>
  /** Of attached files. */
  documents: Documents
  /** In characters, for all that are shown. */
  documentsMax: number
  /** This many of the oldest tool outputs are left out, if they're large. */
  elidedOutputs: number
}

type History = Omit<Conversation, 'elidedOutputs' | 'memories'> & {
  memories: Map<string, string>
  imageSizes: ImageSizes
}

async function readConversation(
  sql: Sql,
  run: EngineRun,
  { tools }: RunAgent,
  { tokens, images }: Window,
  parts: ReadParts | undefined,
): Promise<History> {
  const { orgId, sessionId, id: runId } = run
  const readBefore = parts?.read?.messages ?? []
  const [allSummaries, newMessages] = await Promise.all([
    parts?.hasSummaries === false ? [] : listSummaries(sql, orgId, sessionId),
    listRecent(sql, orgId, sessionId, readBefore.at(-1)?.seq ?? 0),
  ])
  const summaries = currentSummaries(allSummaries)
  const upto = summaries.at(-1)?.uptoSeq ?? 0
  const recent = [...readBefore, ...newMessages].filter(({ seq }) => seq > upto)
  if (parts?.read) parts.read.messages = recent
  const start = upto === 0 ? { first: [], pinned: [] } : await readStart(sql, orgId, sessionId, upto, recent)
  const memories = parts?.read?.memories ?? new Map<string, string>()
  if (tools.memory) {
    const shown = runsOf([...start.first, ...start.pinned, ...recent])
    const unread = shown.filter((id) => id !== runId && !memories.has(id))
    const stored = await listRunMemories(sql, orgId, unread)
    for (const id of unread) memories.set(id, stored.get(id) ?? '')
  }
  const formats = await loadFormats(sql, run, [...start.first, ...start.pinned, ...recent], parts)
  const documents: Documents = parts?.read?.documents ?? new Map()
  await loadDocuments(sql, orgId, [...start.first, ...start.pinned, ...recent], documents)
  const imageSizes: ImageSizes = parts?.read?.imageSizes ?? new Map()
  if (images.isAccepted)
    await loadImageSizes(sql, orgId, [...start.first, ...start.pinned, ...recent], imageSizes)
  const documentsMax = Math.floor(tokens * DOCUMENTS_SHARE) * CHARACTERS_PER_TOKEN
  return { ...start, summaries, recent, memories, formats, documents, documentsMax, imageSizes }
}

async function readStart(
  sql: Sql,
  orgId: string,
  sessionId: string,
  upto: number,
  recent: readonly MessageRow[],
): Promise<Pick<History, 'first' | 'pinned'>> {
  const [first, last] = await Promise.all([
    listForContext(sql, orgId, sessionId, 0, 1),
    recent[0]?.role === 'user' ? [] : listNewestUserMessage(sql, orgId, sessionId, upto),
  ])
  return { first, pinned: last.filter(({ seq }) => seq !== first[0]?.seq) }
}

/** A retry has no message of its own: the last one's run then has its format. */
export async function loadFormats(
  sql: Sql,
  run: Pick<EngineRun, 'orgId' | 'id' | 'outputSchema'>,
  messages: readonly MessageRow[],
  parts?: ReadParts,
): Promise<Map<string, string>> {
  const formats = parts?.read?.formats ?? new Map<string, string>()
  if (parts?.hasFormats === false) return formats
  const runs = runsOf(messages)
  const answered = runs.includes(run.id) ? run.id : runs.at(-1)
  if (answered !== undefined && run.outputSchema) formats.set(answered, describeFormat(run.outputSchema))
  const unread = runs.filter((id) => !formats.has(id))
  const stored = await listFormats(sql, run.orgId, unread)
  for (const id of unread) formats.set(id, stored.get(id) ?? '')
  return formats
}

export const runsOf = (messages: readonly MessageRow[]): string[] => [
  ...new Set(messages.flatMap(({ role, runId }) => (role === 'user' && runId !== null ? [runId] : []))),
]

export const hashPrompt = (system: string) => sha256(system).toString('base64url')

export function arrangeMessages(
  conversation: Conversation,
  model: string,
): { messages: ModelMessage[]; hasDocuments: boolean } {
  const { start, recent, hasDocuments } = arrangeParts(conversation, model)
  return { messages: [...start, ...recent.flat()], hasDocuments }
}

/** Recent messages separately, each with the memory before it. */
function arrangeParts(
  {
    first,
    summaries,
    memories,
    formats,
    pinned,
    recent,
    documents,
    documentsMax,
    elidedOutputs,
  }: Conversation,
  model: string,
): { start: ModelMessage[]; recent: ModelMessage[][]; hasDocuments: boolean } {
  const show = documentReader(documents, documentsMax)
  let shown: string | undefined
  const memoryBefore = ({ role, runId }: MessageRow): ModelMessage[] => {
    const memory = role === 'user' && runId !== null ? memories.get(runId) : undefined
    if (!memory || memory === shown) return []
    shown = memory
    return [dataMessage(memory)]
  }
  const withFormat = formatAdder(formats)
  const arrange = (message: MessageRow) =>
    withoutForeignReasoning([...memoryBefore(message), toModelMessage(withFormat(message), show)], model)
  const arranged = {
    start: [
      ...first.flatMap(arrange),
      ...summaries.map(({ content }) =>
        dataMessage(`Summary of earlier messages in this conversation:\n\n${content}`),
      ),
      ...pinned.flatMap(arrange),
    ],
    recent: elideOutputs(recent, elidedOutputs).map(arrange),
  }
  return { ...arranged, hasDocuments: show.isAnyShown() }
}

/** After the message that asks for it, where the model reads it last. Not again after a request to correct a result. */
function formatAdder(formats: ReadonlyMap<string, string>) {
  const asked = new Set<string>()
  let described: string | undefined
  return (message: MessageRow): MessageRow => {
    const { role, runId, step, content } = message
    const format = role === 'user' && step === null && runId !== null ? formats.get(runId) : undefined
    if (!format || asked.has(runId!)) return message
    asked.add(runId!)
    const text = format === described ? FORMAT_REMINDER : format
    described = format
    return { ...message, content: [...content, { type: 'text', text }] }
  }
}

type WeighedImages = ImageInput & { sizes: ImageSizes }

/** In characters. Images are stored as names, and count as what the provider counts. */
const weigh = (messages: readonly ModelMessage[], images: WeighedImages): number =>
  messages.reduce(
    (sum, { content }) =>
      typeof content === 'string'
        ? sum
        : sum +
          (content as unknown as MessagePart[]).reduce(
            (total, part) => total + imageCharacters(part, images),
            0,
          ),
    JSON.stringify(messages).length,
  )

const imageCharacters = (part: MessagePart, images: WeighedImages): number =>
  imagesIn(part).reduce(
    (sum, image) => sum + imageTokens(sizeOfImage(image, images.sizes), images) * CHARACTERS_PER_TOKEN,
    0,
  )

const imagesIn = (part: MessagePart) => [...(isImagePart(part) ? [part] : []), ...imagesOf(part)]

const hasImage = ({ content }: ModelMessage): boolean =>
  typeof content !== 'string' &&
  (content as unknown as MessagePart[]).some((part) => imagesIn(part).length > 0)

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
/** An elision that leaves more is soon repeated, and each one makes providers read the whole prompt again. */
const ELIDED_SHARE = 0.7

interface Elision {
  outputs: number
  /** False if the conversation should be summarized as well. */
  isEnough: boolean
}

const NO_ELISION: Elision = { outputs: 0, isEnough: true }

/**
 * Elides again only when the prompt is too long again, so that the prompts in between share their beginning. Repeats
 * the decisions message by message instead of storing them.
 */
function planElision(
  history: History,
  model: string,
  promptCharacters: number,
  { tokens, isExceeded, images: input }: Window,
): Elision {
  const { start, recent } = arrangeParts({ ...history, elidedOutputs: 0 }, model)
  const images = { ...input, sizes: history.imageSizes }
  const charactersMax = Math.floor(tokens * WINDOW_SHARE) * CHARACTERS_PER_TOKEN
  const savings: number[] = []
  let elision = NO_ELISION
  let characters = promptCharacters + weigh(start, images)
  for (const [index, message] of history.recent.entries()) {
    characters += weigh(recent[index]!, images)
    savings.push(...outputsOf(message).map((part) => savingOf(part, message.seq, images)))
    if (characters <= charactersMax) continue
    const outputs = Math.max(elision.outputs, savings.length - NEWEST_KEPT)
    for (const saving of savings.slice(elision.outputs, outputs)) characters -= saving
    elision = { outputs, isEnough: characters <= tokens * ELIDED_SHARE * CHARACTERS_PER_TOKEN }
  }
  return isExceeded ? { ...elision, outputs: elidedBefore(history.recent) } : elision
}

/** In steps that store no number, and after a provider refused the prompt. */
export const elidedBefore = (messages: readonly MessageRow[]) =>
  Math.max(0, messages.flatMap(outputsOf).length - NEWEST_KEPT)

const outputsOf = ({ role, content }: MessageRow) => (role === 'tool' ? content : [])

/** The messages keep the outputs, and the model can read them again. */
function elideOutputs(messages: readonly MessageRow[], outputs: number): readonly MessageRow[] {
  if (outputs === 0) return messages
  let seen = 0
  const elide = (part: MessagePart, seq: number) =>
    ++seen <= outputs && isLarge(part) ? withoutOutput(part, seq) : part
  return messages.map((message) =>
    message.role === 'tool'
      ? { ...message, content: message.content.map((part) => elide(part, message.seq)) }
      : message,
  )
}

const savingOf = (part: MessagePart, seq: number, images: WeighedImages) =>
  isLarge(part) ? sizeOf(part) + imageCharacters(part, images) - sizeOf(withoutOutput(part, seq)) : 0

const isLarge = (part: MessagePart) => sizeOf(part) > LARGE_BYTES || imagesOf(part).length > 0

const sizeOf = ({ output }: MessagePart) => JSON.stringify(output ?? null).length

const withoutOutput = ({ images: _images, ...part }: MessagePart, seq: number): MessagePart => ({
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
