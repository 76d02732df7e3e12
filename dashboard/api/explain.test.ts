import { expect, test } from 'vitest'
import { ApiFailure } from '../../client/client.ts'
import { contract } from '../../contract/index.ts'
import { fieldLabel, shortMessage } from './explain.ts'

const invalid = (path: string, message: string) =>
  new ApiFailure(400, { code: 'BAD_REQUEST', message: `${path} ${message}`, details: [{ path, message }] })

test('a field error uses the label from the form, not the API name', () => {
  expect(shortMessage(invalid('body.organizationName', 'is required'))).toBe('Organization is required.')
  expect(shortMessage(invalid('body.maxUses', 'must be at least 1'))).toBe('Maximum uses must be at least 1.')
  expect(shortMessage(invalid('body.tags.3', 'must be 1 to 80 characters'))).toBe(
    'Tags must be 1 to 80 characters.',
  )
})

test('every API body field has a readable label', () => {
  const fields = Object.values(contract)
    .flatMap((feature) => Object.values(feature))
    .flatMap((endpoint) => Object.keys((endpoint as { body?: { shape?: object } }).body?.shape ?? {}))
  expect(fields.length).toBeGreaterThan(50)
  for (const field of new Set(fields))
    expect(fieldLabel(`body.${field}`)).toMatch(/^[A-Z][a-zA-Z ]*$|^[XYZ]\b/)
})
