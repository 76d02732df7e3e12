import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seedNote } from '../../../../bench/seeds/seed-passages.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'

interface Dataset {
  languages: Record<
    string,
    { paragraphs: { title: string; text: string }[]; questions: { question: string; paragraph: number }[] }
  >
}

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

test('questions find their paragraph first, in each language, beside the others', async () => {
  const { languages } = JSON.parse(
    await readFile(new URL('../../../../bench/seeds/knowledge.json', import.meta.url), 'utf8'),
  ) as Dataset
  const { org, person, client } = await app.newUser()
  const { id: projectId } = await app.project(person)
  const place = { orgId: org.id, projectId, userId: person.id }
  const asked: { question: string; id: string }[] = []
  for (const { paragraphs, questions } of Object.values(languages)) {
    const ids: string[] = []
    for (const paragraph of paragraphs) ids.push((await seedNote(app.sql, place, paragraph)).id)
    for (const { question, paragraph } of questions) asked.push({ question, id: ids[paragraph]! })
  }
  const missed: string[] = []
  for (const { question, id } of asked) {
    const { items } = await client.passages.search({ q: question, limit: 5 })
    if (items[0]?.source.id !== id) missed.push(question)
    expect(items.map(({ source }) => source.id)).toContain(id)
  }
  expect(missed.length).toBeLessThanOrEqual(1)
})
