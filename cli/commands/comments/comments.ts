import type { Command } from 'commander'
import { MENTION } from '../../../contract/comments/comment-options.ts'
import { comments } from '../../../contract/comments/comments.ts'
import { notifications } from '../../../contract/comments/notifications.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { command, LIMIT_DEFAULT, parseLimit } from '../../command.ts'
import type { CliEnvironment } from '../../config.ts'
import { type Connection, connect, parseResponse } from '../../connect.ts'
import { print, printData, printMessage, sanitize, sanitizeLines, style } from '../../terminal.ts'
import { requireId } from '../agents/runs/find.ts'
import { timeText } from '../agents/runs/labels.ts'
import { findProject } from '../projects/projects/find.ts'

const HELP = `
A target is block:<id>, file:<id> or run:<id>. Write @[<user id>] to mention a member.

Examples:
  npx atrium comments list file:0199…                     a file’s open threads
  npx atrium comments add run:0199… 'Please check this'   a new thread
  npx atrium comments add run:0199… --reply 0199… 'Done'  a reply to the thread with this id
  npx atrium comments resolve 0199…                       resolve the thread (--reopen to reopen it)
`

export function addCommentCommands(program: Command, environment: CliEnvironment): void {
  const comments = program
    .command('comments')
    .description('List, add and resolve comments on blocks, files and runs')
    .addHelpText('after', HELP)
    .exitOverride()
  const project = '--project <project>'
  const projectDescription =
    'the block’s project (slug, id or name), if several projects have a block with this id'
  command(comments, 'list <target>', 'List open threads on a block, file or run, oldest first')
    .alias('ls')
    .option('--all', 'include resolved threads')
    .option(project, projectDescription)
    .action((target, options) => listComments(target, options, environment))
  command(comments, 'add <target> <text>', 'Add a comment')
    .option('--reply <thread>', 'reply to the thread with this id')
    .option(project, projectDescription)
    .action((target, text, options) => addComment(target, text, options, environment))
  command(comments, 'resolve <thread>', 'Resolve a thread')
    .option('--reopen', 'reopen the thread instead')
    .action((id, options) => resolveComment(id, options, environment))
  command(program, 'notifications', 'List your notifications, newest first')
    .option('--unread', 'only unread notifications')
    .option('--read', 'mark the listed notifications as read')
    .option('--limit <count>', 'number of notifications, 1 to 100', parseLimit, LIMIT_DEFAULT)
    .action((options) => listNotifications(options, environment))
}

type Comment = OutputOf<typeof comments.create>
type Thread = OutputOf<typeof comments.get>

interface Options {
  server?: string
  json?: boolean
  project?: string
}

const PAGE = 50

async function listComments(
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

/** Replaces mentions with member names. */
const textOf = ({ body, mentions }: Comment): string =>
  body.replace(MENTION, (_, id: string) => {
    const person = mentions.find((each) => each.id === id.toLowerCase())
    return `@${person?.name ?? 'former member'}`
  })

async function addComment(
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

async function resolveComment(
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

interface NotificationOptions {
  server?: string
  json?: boolean
  unread?: boolean
  read?: boolean
  limit: number
}

/** `--read` marks the listed notifications as read. */
async function listNotifications(options: NotificationOptions, environment: CliEnvironment): Promise<void> {
  const { server, client } = await connect(options.server, environment)
  const unread = options.unread ? ('true' as const) : ('false' as const)
  const list = client.notifications.list({ unread, limit: options.limit })
  const response = await parseResponse(server, notifications.list, list)
  const ids = response.items.filter(({ readAt }) => readAt === null).map(({ id }) => id)
  if (options.read && ids.length > 0)
    await parseResponse(server, notifications.read, client.notifications.read({ ids }))
  if (options.json) return printData(response)
  if (response.items.length === 0)
    return printMessage(options.unread ? 'No unread notifications' : 'No notifications')
  for (const { title, excerpt, path, readAt, createdAt } of response.items) {
    const mark = readAt === null ? '*' : ' '
    print(
      `${mark} ${style('bold', sanitize(title), process.stdout)}  ${style('dim', timeText(createdAt), process.stdout)}`,
    )
    if (excerpt) print(`    ${sanitize(excerpt)}`)
    print(`    ${server}${sanitize(path)}`)
  }
  if (response.nextCursor) printMessage('There are more. Use --limit.')
}
