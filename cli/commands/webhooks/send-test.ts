import { webhooks } from '../../../contract/webhooks/webhooks.ts'
import type { Surroundings } from '../../config.ts'
import { ask, connect } from '../../connect.ts'
import { EXIT_CODES } from '../../failure.ts'
import { printData, tell } from '../../terminal.ts'
import { isDecided, printStory } from './event-details.ts'
import { findWebhook, readEvent, type Story } from './find.ts'
import { type PageOptions, showPage, waitFor } from './page.ts'

interface TestOptions extends PageOptions {
  type?: string
}

/** Opens the page that sends a test, and shows what became of it. */
export async function testWebhook(which: string, options: TestOptions, around: Surroundings): Promise<void> {
  const connection = await connect(options.server, around)
  const { server, client } = connection
  const { id, forwards } = await findWebhook(connection, which)
  const newest = async () =>
    (await ask(server, webhooks.eventsOf, client.webhooks.eventsOf({ id, limit: 20, direction: 'internal' })))
      .items
  const known = new Set((await newest()).map((event) => event.id))
  const path = `webhooks/${id}?test${options.type ? `=${encodeURIComponent(options.type)}` : ''}`
  const address = showPage(connection, { path, act: 'Send the test' }, options)
  if (options.wait === false) return options.json ? printData({ address }) : undefined

  const event = await waitFor(address, async () => {
    const test = (await newest()).find((one) => !known.has(one.id) && isTest(one))
    const story = test ? await readEvent(connection, test.id) : null
    return story && (!forwards || story.deliveries.some(isDecided)) ? story : null
  })
  if (options.json) printData({ address, event })
  else printStory(event)
  if (!forwards) tell('It forwards to nowhere: `atrium webhooks listen` brings what it would send here.')
  if (event.deliveries.some(({ status }) => status !== 'succeeded')) process.exitCode = EXIT_CODES.failed
}

const isTest = ({ payload }: Pick<Story, 'payload'>) => (payload as { test?: unknown } | null)?.test === true
