import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bearer, buildTestApp, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

async function newcomer() {
  const person = await app.person(await app.organization())
  return { person, client: app.as(bearer(await app.key(person))) }
}

describe('POST /feedback', () => {
  test('a submission is answered 201 and listed', async () => {
    const { client } = await newcomer()
    const item = await client.feedback.submit({ message: 'The canvas is lovely', metadata: { route: '/x' } })
    expect(item).toMatchObject({ status: 'open', publicStatus: 'received', editable: true, commentCount: 0 })
    expect(await client.feedback.list({})).toEqual({ items: [item], total: 1, limit: 50, offset: 0 })
  })
})
