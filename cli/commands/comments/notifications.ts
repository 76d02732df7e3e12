import { notifications } from '../../../contract/comments/notifications.ts'
import type { CliEnvironment } from '../../config.ts'
import { connect, parseResponse } from '../../connect.ts'
import { print, printData, printMessage, sanitize, style } from '../../terminal.ts'
import { timeText } from '../agents/runs/labels.ts'

interface Options {
  server?: string
  json?: boolean
  unread?: boolean
  read?: boolean
  limit: number
}

/** Lists the notifications of the user; `--read` marks the listed ones as read. */
export async function listNotifications(options: Options, environment: CliEnvironment): Promise<void> {
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
  if (response.nextCursor) printMessage('There are more: use --limit.')
}
