import { expect, test } from 'vitest'
import { EVENT_STATUSES, eventStatus, STATUS_FILTERS } from './webhook-labels.ts'
import type { WebhookEvent } from './webhooks-queries.ts'

type Status = WebhookEvent['status']

test.each(Object.values(STATUS_FILTERS))('the filter $label selects events labeled $label', (filter) => {
  const { label, state, direction } = filter
  for (const each of direction ? [direction] : (['inbound', 'internal'] as const)) {
    expect(eventStatus({ status: state as Status, direction: each }).label).toBe(label)
  }
})

test('the filters cover every received and internal event status once', () => {
  const filters = Object.values(STATUS_FILTERS)
  for (const status of Object.keys(EVENT_STATUSES)) {
    for (const direction of ['inbound', 'internal'] as const) {
      const matching = filters.filter(
        (filter) => filter.state === status && (filter.direction ?? direction) === direction,
      )
      expect([status, direction, matching.length]).toEqual([status, direction, 1])
    }
  }
})
