import { expect, test } from 'vitest'
import { CONNECTOR_TEXTS } from '../dashboard/components/connectors/connector-texts.ts'
import { builtIn } from '../server/features/connections/connectors/catalog/catalog.ts'

test('the dashboard knows every text in the built-in connectors, so it can translate them', () => {
  const texts = builtIn.flatMap(({ description, availability, config = [], auth }) => [
    description,
    availability && 'reason' in availability ? availability.reason : undefined,
    ...[...config, ...('fields' in auth ? auth.fields : [])].flatMap(({ label, hint }) => [label, hint]),
  ])
  const known = new Set(texts.filter((text) => text !== undefined && text !== ''))
  expect(Object.keys(CONNECTOR_TEXTS).toSorted()).toEqual([...known].toSorted())
})
