import { expect, test } from 'vitest'
import { ApiFailure } from '../../client/client.ts'
import { contract } from '../../contract/index.ts'
import { fieldLabel, shortMessage } from './explain.ts'

const invalid = (path: string, message: string) =>
  new ApiFailure(400, { code: 'BAD_REQUEST', message: `${path} ${message}`, details: [{ path, message }] })

test('an error about a field names the field by its label in the form, not by its name in the API', () => {
  expect(shortMessage(invalid('body.organizationName', 'is required'))).toBe('Organization is required.')
  expect(shortMessage(invalid('body.maxUses', 'must be at least 1'))).toBe('Maximum uses must be at least 1.')
  expect(shortMessage(invalid('body.tags.3', 'must be 1 to 80 characters'))).toBe(
    'Tags must be 1 to 80 characters.',
  )
})

test('every body field of the API has a label that reads as words', () => {
  const fields = Object.values(contract)
    .flatMap((feature) => Object.values(feature))
    .flatMap((endpoint) => Object.keys((endpoint as { body?: { shape?: object } }).body?.shape ?? {}))
  expect(fields.length).toBeGreaterThan(50)
  for (const field of new Set(fields))
    expect(fieldLabel(`body.${field}`)).toMatch(/^[A-Z][a-zA-Z ]*$|^[XYZ]\b/)
})
