import { counted } from '../../../contract/counted.ts'
import { home } from '../../../contract/home/home.ts'
import type { AttentionKind } from '../../../contract/home/home-options.ts'
import type { CliEnvironment } from '../../config.ts'
import { connect, parseResponse } from '../../connect.ts'
import { print, printData, printMessage, sanitize, style } from '../../terminal.ts'
import { shorten, timeText } from '../agents/runs/labels.ts'

const LABELS: Record<AttentionKind, string> = {
  approval: 'is waiting for your approval',
  question: 'has a question for you',
  payment: 'payment is waiting for your approval',
  notification: 'unread',
  run: 'run failed',
  connection: 'connection',
  webhook: 'webhook',
  budget: 'budget',
}

const DETAIL_COLUMNS = 100

export async function showHome(
  options: { server?: string; json?: boolean },
  environment: CliEnvironment,
): Promise<void> {
  const { server, client } = await connect(options.server, environment)
  const page = await parseResponse(server, home.read, client.home.read())
  if (options.json) return printData(page)
  const { attention, more, news, unreadCount } = page
  for (const { kind, title, detail, path, at } of attention) {
    print(`${style('bold', sanitize(title), process.stdout)}  ${LABELS[kind]}  ${timeText(at)}`)
    if (detail) print(`  ${shorten(detail, DETAIL_COLUMNS)}`)
    print(`  ${server}${sanitize(path)}`)
  }
  if (attention.length === 0) printMessage('No pending decisions or problems')
  if (more.length > 0) printMessage(`There are more: ${more.join(', ')}`)
  const unread = counted(unreadCount, 'unread notification')
  printMessage(`${unread}, ${counted(news.length, 'news item')}: ${server}/`)
}
