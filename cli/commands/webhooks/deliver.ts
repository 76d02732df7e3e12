import { webhooks } from '../../../contract/webhooks/webhooks.ts'
import type { CliEnvironment } from '../../config.ts'
import { connect, parseResponse } from '../../connect.ts'
import { EXIT_CODES, Failure } from '../../failure.ts'
import { openPage, type PageOptions, pollFor, shouldWait } from '../../page.ts'
import { printData, printMessage } from '../../terminal.ts'
import { isSettled, printDelivery, printEventDetails } from './events.ts'
import { type EventWithDeliveries, findEvent, findWebhook, readEvent, requireAdmin } from './find.ts'

interface TestOptions extends PageOptions {
  type?: string
}

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

export async function retryEvent(
  ref: string,
  options: PageOptions,
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  await requireAdmin(connection)
  const { id, deliveries } = await findEvent(connection, ref)
  const failedAttempts = new Map(
    deliveries.filter(({ status }) => status === 'failed').map((delivery) => [delivery.id, delivery.attempt]),
  )
  if (failedAttempts.size === 0) throw new Failure('failed', 'This event has no failed deliveries')
  const pageUrl = openPage(
    connection,
    { path: `webhooks/events/${id}`, action: 'Retry failed deliveries' },
    options,
  )
  if (!shouldWait(options)) return options.json ? printData({ address: pageUrl }) : undefined

  const retried = await pollFor(pageUrl, async () => {
    const { deliveries: allDeliveries } = await readEvent(connection, id)
    const current = allDeliveries.filter((delivery) => failedAttempts.has(delivery.id))
    const retriedDeliveries = current.filter(({ id, attempt }) => attempt > failedAttempts.get(id)!)
    const isFinished = retriedDeliveries.length > 0 && current.every(isSettled)
    return isFinished ? retriedDeliveries : null
  })
  if (options.json) printData({ address: pageUrl, deliveries: retried })
  else retried.forEach(printDelivery)
  if (retried.some(({ status }) => status !== 'succeeded')) process.exitCode = EXIT_CODES.failed
}
