import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { bearer, type Headers, shareTestApp, type TestApp } from '../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

const INFO = { name: 'Desk', version: '1' }
const CAPABILITIES = { elicitation: { form: {} } }
const url = () => new URL(`${app.url}/mcp`)

type Answer = { action: 'accept' | 'decline'; content?: { confirm: boolean } }
type AnswerQuestion = () => Answer

/** The client of the newest revision, and of the one before. */
const connectNew = (mode: 'auto' | 'legacy') => async (headers: Headers, answer: AnswerQuestion) => {
  const client = new Client(INFO, { capabilities: CAPABILITIES, versionNegotiation: { mode } })
  client.setRequestHandler('elicitation/create', async () => answer())
  await client.connect(new StreamableHTTPClientTransport(url(), { requestInit: { headers } }))
  return client
}

const connectOld = async (headers: Headers, answer: AnswerQuestion) => {
  const client = new OldClient(INFO, { capabilities: CAPABILITIES })
  client.setRequestHandler(ElicitRequestSchema, async () => ({ ...answer() }))
  await client.connect(new OldTransport(url(), { requestInit: { headers } }) as never)
  return client as unknown as Client
}

describe.each([
  ['client 2.x with revision 2026-07-28', connectNew('auto')],
  ['client 2.x with revision 2025-11-25', connectNew('legacy')],
  ['SDK 1.32', connectOld],
])('%s', (_name, connect) => {
  test('lists, calls, reads, completes and gets prompts, and asks for confirmation before deleting many blocks', async () => {
    const org = await app.organization()
    const person = await app.person(org, { role: 'admin' })
    const headers = bearer(await app.key(person, ['mcp:write']))
    const answers: Answer[] = []
    const client = await connect(headers, () => answers.pop()!)
    expect((await client.listTools()).tools).toHaveLength(28)
    await call('create_project', { name: 'Plan' })
    const titles = Array.from({ length: 21 }, (_, n) => `Note ${n}`)
    await call('edit_canvas', { project: 'plan', create: titles.map((title) => ({ type: 'note', title })) })
    await call('write_file', { project: 'plan', name: 'plan.md', text: 'Ship it' })

    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toEqual(['atrium://projects/plan'])
    const digest = await read('atrium://projects/plan')
    for (const part of ['# Plan\n', '- note: Note 0\n', '- plan.md (atrium://files/'])
      expect(digest).toContain(part)
    expect(JSON.parse(await read('atrium://projects/plan/canvas')).nodes).toHaveLength(21)
    const ref = { type: 'ref/resource' as const, uri: 'atrium://files/{id}' }
    const { completion } = await client.complete({ ref, argument: { name: 'id', value: 'plan' } })
    expect(await read(`atrium://files/${completion.values[0]}`)).toContain('Ship it')
    await expect(read('atrium://projects/nothing')).rejects.toThrow()
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(3)

    answers.push({ action: 'decline' })
    const refused = await client.callTool({
      name: 'edit_canvas',
      arguments: { project: 'plan', delete: titles },
    })
    expect(refused).toMatchObject({ isError: true })
    expect((await call('read_canvas', { project: 'plan' })).total.blocks).toBe(21)
    answers.push({ action: 'accept', content: { confirm: true } })
    expect(await call('edit_canvas', { project: 'plan', delete: titles })).toMatchObject({
      deletedBlocks: 21,
    })
    expect(answers).toEqual([])
    await client.close()

    // biome-ignore lint/suspicious/noExplicitAny: outputs of any shape, which the test asserts on
    async function call(name: string, input: Record<string, unknown>): Promise<any> {
      const result = await client.callTool({ name, arguments: input })
      expect(result).not.toHaveProperty('isError', true)
      return result.structuredContent
    }

    async function read(uri: string): Promise<string> {
      const { contents } = await client.readResource({ uri })
      return (contents[0] as { text: string }).text
    }
  })
})
