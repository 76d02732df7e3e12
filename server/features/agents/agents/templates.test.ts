import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AGENT_TEMPLATE_NAMES } from '../../../../contract/agents/agent-templates.ts'
import { bearer, buildTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

describe('GET /agents/templates', () => {
  test('lists settings that create an agent without warnings or step-up', async () => {
    const person = await app.person(await app.organization())
    const { agents } = app.as(bearer(await app.key(person)))
    const { items } = await agents.templates()
    expect(items.map(({ id }) => id)).toEqual(AGENT_TEMPLATE_NAMES)
    for (const { settings, examples } of items) {
      const { name, prompt, tools, approvals, warnings } = await agents.create(settings)
      expect({ name, prompt, tools, approvals }).toEqual({
        name: settings.name,
        prompt: settings.prompt,
        tools: settings.tools,
        approvals: settings.approvals,
      })
      expect(warnings).toEqual([])
      expect(examples.length).toBeGreaterThan(1)
    }
  })
})
