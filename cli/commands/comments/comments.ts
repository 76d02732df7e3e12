import { MENTION } from '../../../contract/comments/comment-options.ts'
import { comments } from '../../../contract/comments/comments.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import type { CliEnvironment } from '../../config.ts'
import { type Connection, connect, parseResponse } from '../../connect.ts'
import { print, printData, printMessage, sanitize, sanitizeLines, style } from '../../terminal.ts'
import { requireId } from '../agents/runs/find.ts'
import { timeText } from '../agents/runs/labels.ts'
import { findProject } from '../projects/projects/find.ts'

type Comment = OutputOf<typeof comments.create>
type Thread = OutputOf<typeof comments.get>

interface Options {
  server?: string
  json?: boolean
  project?: string
}

const PAGE = 50

export async function listComments(
  target: string,
  options: Options & { all?: boolean },
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const subject = await subjectOf(connection, target, options)
  const items: Thread[] = []
  let cursor: string | undefined
  do {
    const state = options.all ? ('all' as const) : ('open' as const)
    const list = connection.client.comments.list({ ...subject, state, limit: PAGE, cursor })
    const page = await parseResponse(connection.server, comments.list, list)
    items.push(...page.items)
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  if (options.json) return printData({ items })
  if (items.length === 0) return printMessage(options.all ? 'No comments' : 'No open threads')
  for (const thread of items) printThread(thread)
}

const subjectOf = async (connection: Connection, target: string, { project }: Options) => ({
  target,
  projectId: project && (await findProject(connection, project)).id,
})

function printThread(thread: Thread): void {
  printComment(thread, '')
  const hidden = thread.replyCount - thread.replies.length
  if (hidden > 0) print(`  … ${hidden} earlier replies`)
  for (const reply of thread.replies) printComment(reply, '  ')
  print()
}

function printComment(comment: Comment, indent: string): void {
  const { author, resolved } = comment
  const authorName = `${sanitize(author.name)}${author.guest ? ' (guest)' : ''}`
  const state = resolved ? `  resolved by ${sanitize(resolved.by.name)}` : ''
  print(
    `${indent}${style('bold', authorName, process.stdout)}  ${style('dim', `${comment.id}  ${timeText(comment.createdAt)}${state}`, process.stdout)}`,
  )
  const text = comment.deleted ? '(deleted)' : sanitizeLines(textOf(comment))
  print(text.replace(/^/gm, `${indent}  `))
}

/** The body with the names of the members that it mentions. */
const textOf = ({ body, mentions }: Comment): string =>
  body.replace(MENTION, (_, id: string) => {
    const person = mentions.find((each) => each.id === id.toLowerCase())
    return `@${person?.name ?? 'former member'}`
  })

export async function addComment(
  target: string,
  body: string,
  options: Options & { reply?: string },
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const subject = await subjectOf(connection, target, options)
  const parentId = options.reply && requireId(options.reply, 'thread', 'comments list')
  const added = await parseResponse(
    connection.server,
    comments.create,
    connection.client.comments.create({ ...subject, body, parentId }),
  )
  if (options.json) return printData(added)
  print(added.id)
}

export async function resolveComment(
  ref: string,
  options: Options & { reopen?: boolean },
  environment: CliEnvironment,
): Promise<void> {
  const { server, client } = await connect(options.server, environment)
  const id = requireId(ref, 'thread', 'comments list')
  const change = client.comments.update({ id, resolved: !options.reopen })
  const thread = await parseResponse(server, comments.update, change)
  if (options.json) return printData(thread)
  printMessage(options.reopen ? 'Reopened the thread' : 'Resolved the thread')
}
