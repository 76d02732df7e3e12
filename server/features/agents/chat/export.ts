import { Readable } from 'node:stream'
import { describeCitation } from '../../../../contract/agents/describe-citation.ts'
import type { sessions } from '../../../../contract/agents/sessions.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { Context } from '../../../context.ts'
import { reply } from '../../../endpoint/route.ts'
import {
  type Citation,
  findSession,
  listMessages,
  type MessageRow,
  presentMessage,
  presentSession,
} from '../conversations/conversations.ts'
import { listSessionResults } from '../runs/runs.ts'

const PAGE = 200

/** Read page by page: a conversation may have any length. */
export async function exportSession(
  ctx: Context,
  { id, format, byteRequest }: InputOf<typeof sessions.export>,
) {
  const session = await findSession(ctx, id)
  const isJson = format === 'json'
  const headers = {
    'content-type': isJson ? 'application/json; charset=utf-8' : 'text/markdown; charset=utf-8',
    'content-disposition': `attachment; filename="session-${id}.${isJson ? 'json' : 'md'}"`,
  }
  if (byteRequest.headOnly) return reply(null, { bytes: { content: null, headers } })
  const messages = readAllMessages(ctx, session.orgId, id)
  const title = session.title ?? 'Session'
  const content = isJson
    ? asJson(presentSession(session), messages, readResults(ctx, session.orgId, id))
    : asMarkdown(title, messages)
  return reply(null, { bytes: { content: Readable.from(content), headers } })
}

async function* readAllMessages(ctx: Context, orgId: string, id: string): AsyncGenerator<MessageRow> {
  for (let from = 0, hasMore = true; hasMore; ) {
    const rows = await listMessages(ctx.sql, orgId, id, { order: 'oldest', from, limit: PAGE })
    yield* rows
    from = rows.at(-1)?.seq ?? from
    hasMore = rows.length === PAGE
  }
}

/** Each may be large. */
const RESULTS_PAGE = 20

async function* readResults(ctx: Context, orgId: string, id: string): AsyncGenerator<object> {
  for (let after: string | null = null, hasMore = true; hasMore; ) {
    const rows: { runId: string }[] = await listSessionResults(ctx.sql, orgId, id, {
      after,
      limit: RESULTS_PAGE,
    })
    yield* rows
    after = rows.at(-1)?.runId ?? after
    hasMore = rows.length === RESULTS_PAGE
  }
}

async function* asJson(
  session: object,
  messages: AsyncIterable<MessageRow>,
  results: AsyncIterable<object>,
): AsyncGenerator<string> {
  yield `${JSON.stringify({ session }).slice(0, -1)},"messages":[`
  for await (const text of asEntries(messages, presentMessage)) yield text
  yield '],"results":['
  for await (const text of asEntries(results, (result) => result)) yield text
  yield ']}\n'
}

async function* asEntries<T>(items: AsyncIterable<T>, present: (item: T) => object): AsyncGenerator<string> {
  let separator = ''
  for await (const item of items) {
    yield separator + JSON.stringify(present(item))
    separator = ','
  }
}

const NAMES = { user: 'Person', assistant: 'Agent', tool: 'Tool results', note: 'Note' }

async function* asMarkdown(title: string, messages: AsyncIterable<MessageRow>): AsyncGenerator<string> {
  yield `# ${title}\n`
  for await (const { role, createdAt, body, content, citations } of messages) {
    yield `\n## ${NAMES[role]}, ${createdAt}\n\n`
    if (body) yield `${body}\n`
    for (const part of content) if (part.type.startsWith('tool-')) yield formatPart(part)
    if (citations?.length) yield `\n${citations.map(asListItem).join('')}`
  }
}

/** In one line, and without what Markdown would read as more than text. */
const asListItem = (citation: Citation) =>
  `- ${describeCitation(citation)
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_<>#[\]|~!]/g, '\\$&')}\n`

/** The fence is longer than any backtick run in the content, so the content can't end it. */
function formatPart(part: object): string {
  const text = JSON.stringify(part, null, 2)
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `\n${fence}json\n${text}\n${fence}\n`
}
