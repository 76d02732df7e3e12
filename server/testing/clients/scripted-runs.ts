import { expect } from 'vitest'
import { createTestCanvas } from '../factories/canvas.ts'
import type { TestApp } from '../test-app.ts'
import { script } from './agent-runs.ts'

type ToolCalls = [tool: string, input: object][]

/** The agent plays scripts. The app needs a worker. */
export async function scriptedAgent(app: TestApp) {
  const canvas = await createTestCanvas(app)
  const { person, projectId } = canvas
  const client = await app.withSession(person)
  const agent = await client.agents.create({ name: 'Worker', model: 'test/script' })

  async function play(lines: string[], status = 'succeeded'): Promise<string> {
    const message = { content: script(...lines) }
    const session = await client.sessions.create({ projectId, agentId: agent.id, message })
    const { id } = session.run!
    await expect
      .poll(async () => (await client.agentRuns.get({ id })).status, { timeout: 20_000 })
      .toBe(status)
    const { items } = await client.agentRuns.steps({ id })
    const failed = items.flatMap(({ calls }) => calls).filter(({ state }) => state !== 'done')
    expect(failed.map(({ tool, output }) => ({ tool, output }))).toEqual([])
    return id
  }

  /** Files with their text, and folders, by path. */
  async function tree(): Promise<Record<string, unknown>> {
    const found: Record<string, unknown> = {}
    const walk = async (path: string, where: { projectId: string } | { parentId: string }) => {
      const { items } = await client.files.list({ ...where, limit: 100 })
      for (const { id, name, source, tags } of items) {
        const text = source === 'upload' ? (await client.fileTexts.read({ id })).text : null
        found[`${path}/${name}`] = { id, source, tags, text }
        if (source === 'folder') await walk(`${path}/${name}`, { parentId: id })
      }
    }
    await walk('', { projectId })
    return found
  }

  return {
    ...canvas,
    client,
    agent,
    play,
    tree,
    calls: (calls: ToolCalls) => play(calls.flatMap(([tool, input]) => [callLine(tool, input), '---'])),
    write: (name: string, text: string, parentId?: string) =>
      client.fileTexts.write({ name, text, ...(parentId ? { parentId } : { projectId }), replace: true }),
    /** What an undo restores: the canvas, and files with their bytes. */
    everything: async () => ({ canvas: await canvas.state(), files: await tree() }),
  }
}

export const callLine = (tool: string, input: object) => `call ${tool} ${JSON.stringify(input)}`
