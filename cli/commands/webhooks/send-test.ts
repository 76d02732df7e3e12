import { webhooks } from '../../../contract/webhooks/webhooks.ts'
import type { CliEnvironment } from '../../config.ts'
import { connect, parseResponse } from '../../connect.ts'
import { EXIT_CODES } from '../../failure.ts'
import { openPage, type PageOptions, pollFor, shouldWait } from '../../page.ts'
import { printData, printMessage } from '../../terminal.ts'
import { isSettled, printEventDetails } from './event-details.ts'
import { type EventWithDeliveries, findWebhook, readEvent } from './find.ts'
import { requireAdmin } from './require-admin.ts'

interface TestOptions extends PageOptions {
  type?: string
}

/** Opens the page that sends a test event, and prints the outcome. */
export async function testWebhook(
  ref: string,
  options: TestOptions,
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  await requireAdmin(connection)
  const { server, client } = connection
  const { id, forwards } = await findWebhook(connection, ref)
  const listNewest = async () =>
    (
      await parseResponse(
        server,
        webhooks.eventsOf,
        client.webhooks.eventsOf({ id, limit: 20, direction: 'internal' }),
      )
    ).items
  const existingIds = new Set((await listNewest()).map((event) => event.id))
  const path = `webhooks/${id}?test${options.type ? `=${encodeURIComponent(options.type)}` : ''}`
  const pageUrl = openPage(connection, { path, action: 'Send the test event' }, options)
  if (!shouldWait(options)) return options.json ? printData({ address: pageUrl }) : undefined

  const event = await pollFor(pageUrl, async () => {
    const test = (await listNewest()).find((event) => !existingIds.has(event.id) && isTest(event))
    const details = test ? await readEvent(connection, test.id) : null
    return details && (!forwards || details.deliveries.some(isSettled)) ? details : null
  })
  if (options.json) printData({ address: pageUrl, event })
  else printEventDetails(event)
  if (!forwards)
    printMessage(
      'This webhook has no forwarding URL. Use `npx atrium webhooks listen` to receive its events on this machine.',
    )
  if (event.deliveries.some(({ status }) => status !== 'succeeded')) process.exitCode = EXIT_CODES.failed
}

const isTest = ({ payload }: Pick<EventWithDeliveries, 'payload'>) =>
  (payload as { test?: unknown } | null)?.test === true
