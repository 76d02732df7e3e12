import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { NormalizedEvent } from '../definition/receiver.ts'
import { builtIn } from './catalog.ts'
import { receivedEvent, registeredEndpoint } from './testing/received.ts'

/** Names that payloads of some provider have, so that random payloads get past the first condition. */
const NAMES =
  'action actor answer body card channel channels comment content data entry event events from id issue items message messages note object_attributes object_kind old options payload project pull_request pullrequest repository resource resourceData review sender text thread_ts ts type update_id user value webhookEvent'.split(
    ' ',
  )
const HEADERS = { 'x-github-event': 'issue_comment', 'x-event-key': 'pullrequest:comment_created' }

describe.each(builtIn.map((definition) => [definition.slug, definition] as const))(
  '%s',
  (slug, definition) => {
    test('is described, dated and complete', () => {
      expect(definition.docsUrl).toMatch(/^https:\/\//)
      expect(definition.checkedAt).toMatch(/^\d{4}-\d\d-\d\d$/)
      expect(new Set(definition.tools.map(({ name }) => name)).size).toBe(definition.tools.length)
      const { auth, config = [] } = definition
      const fields = [...config, ...(auth.type === 'api_key' ? auth.fields : [])]
      for (const { pattern } of fields) if (pattern !== undefined) new RegExp(`^(?:${pattern})$`, 'u')
      for (const { name, description, effect, risk, input } of definition.tools) {
        expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/)
        expect(description, name).toMatch(/^[A-Z].{20,}\.$/s)
        if (effect === 'read') expect(risk, name).toBe('none')
        // A list without a bound would fill the context of the model.
        if ('limit' in input.shape) expect(input.shape.limit!.safeParse(10_000).success, name).toBe(false)
      }
    })

    const { receiver } = definition
    if (!receiver) return

    test('receives payloads in any form without an exception', () => {
      const { json } = fc.letrec((tie) => ({
        json: fc.oneof(
          { maxDepth: 4, depthSize: 'small' },
          fc.constantFrom<unknown>(
            null,
            true,
            0,
            1,
            '',
            'created',
            'created\u0000',
            '__proto__',
            'constructor',
            [],
            {},
          ),
          fc.array(tie('json'), { maxLength: 3 }),
          fc.dictionary(fc.constantFrom(...NAMES), tie('json'), { maxKeys: 5 }),
        ),
      }))
      fc.assert(
        fc.property(json, (body) => {
          for (const event of receiver.normalize(receivedEvent(body, { headers: HEADERS })))
            expectRecord(event, slug)
        }),
        { numRuns: 60 },
      )
    })

    test('names its events and sessions after the connector', () => {
      for (const key of Object.keys(receiver.events)) expect(key).toMatch(new RegExp(`^${slug}\\.[\\w.]+$`))
      expect(receiver.sessionKey).toContain('{thread}')
      const { setup } = receiver
      if (setup.by === 'hand') return
      // An entered value is one segment of a path at most.
      const hostile = Object.fromEntries(
        (setup.fields ?? []).map(({ key }) => [key, '../{credentials.token}/x?y#z']),
      )
      const { path } = setup.register(registeredEndpoint({ config: hostile })).request
      expect(path).not.toContain('{credentials.token}')
      expect(setup.unregister(hostile, hostile).path).not.toContain('{credentials.token}')
    })
  },
)

function expectRecord({ eventKey, externalId, thread, text }: NormalizedEvent, slug: string): void {
  expect(eventKey.startsWith(`${slug}.`)).toBe(true)
  expect(externalId).not.toBe('')
  expect(thread).not.toBe('')
  expect(text === null || typeof text === 'string').toBe(true)
}
