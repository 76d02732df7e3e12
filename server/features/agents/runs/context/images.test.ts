import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLanguageModel } from '../../../../language-models/language-model.ts'
import { type ModelMessage, streamCall } from '../../../../language-models/stream-call.ts'
import { type ChatClient, createChatClient } from '../../../../testing/clients/chat-client.ts'
import { createPdf, createPng } from '../../../../testing/factories/pictures.ts'
import { createPreviewFile } from '../../../../testing/factories/preview-files.ts'
import { upload, uploadVersion } from '../../../../testing/factories/uploads.ts'
import {
  anthropicStream,
  compatibleStream,
  googleStream,
  openaiStream,
  type StreamedAnswer,
} from '../../../../testing/fakes/model-streams.ts'
import { startReceiver } from '../../../../testing/fakes/receiver.ts'
import { bearer, buildTestApp, type TestApp } from '../../../../testing/test-app.ts'
import { showImages } from './images.ts'

type Next = StreamedAnswer | 'hang'
const STREAMS = {
  anthropic: anthropicStream,
  google: googleStream,
  acme: compatibleStream,
}
type Provider = keyof typeof STREAMS

const MODELS: Record<Provider, string> = {
  anthropic: 'anthropic/claude-sonnet-4-5',
  google: 'google/gemini-2.5-pro',
  acme: 'acme/sees',
}

const LISTS: Record<Provider, object> = {
  anthropic: { data: [{ id: 'claude-sonnet-4-5' }], has_more: false },
  google: { models: [{ name: 'models/gemini-2.5-pro', supportedGenerationMethods: ['generateContent'] }] },
  acme: {
    data: [
      { id: 'sees', architecture: { input_modalities: ['text', 'image'] } },
      { id: 'reads', architecture: { input_modalities: ['text'] } },
    ],
  },
}

let app: TestApp
const servers = {} as Record<Provider, Awaited<ReturnType<typeof startReceiver>>>
const clients = {} as Record<Provider | 'blind', ChatClient>
/** The next answers to calls with tools. */
let answers: Next[] = []

beforeAll(async () => {
  for (const provider of Object.keys(STREAMS) as Provider[])
    servers[provider] = await startReceiver(({ body }, response) => {
      if (!body) return response.end(JSON.stringify(LISTS[provider]))
      const next = body.includes('"tools"') ? answers.shift() : undefined
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      if (next === 'hang') return response.flushHeaders()
      return response.end(STREAMS[provider](next ?? { text: 'A title' }))
    })
  app = await buildTestApp({
    env: {
      ATRIUM_ANTHROPIC_API_KEY: 'sk-secret',
      ATRIUM_ANTHROPIC_URL: servers.anthropic.url,
      ATRIUM_GOOGLE_API_KEY: 'secret',
      ATRIUM_GOOGLE_API_URL: servers.google.url,
      ATRIUM_PROVIDER_ACME_URL: servers.acme.url,
    },
  })
  await app.app.startWorker()
  const tools = { files: true, blocks: true }
  for (const provider of Object.keys(STREAMS) as Provider[])
    clients[provider] = await createChatClient(app, { model: MODELS[provider], tools })
  clients.blind = await createChatClient(app, { model: 'acme/reads', tools })
})
afterAll(async () => {
  await app.close()
  for (const server of Object.values(servers)) await server.close()
})

const PICTURE = createPng({ width: 40, height: 20, colorAt: (x) => [x * 6, 0, 0] })

async function headersOf({ person }: ChatClient) {
  return bearer(await app.key(person, ['files:write']))
}

async function uploadPicture(chat: ChatClient, name = 'harbor.png', bytes: Uint8Array = PICTURE) {
  const fields = { parentId: chat.project.folderId! }
  const { body } = await upload(app, await headersOf(chat), bytes, { name, fields })
  return body.data.id as string
}

async function modelImage(chat: ChatClient, id: string, query = '') {
  const path = `/api/v1/files/${id}/images?data=true${query}`
  const { body } = await app.request('GET', path, { headers: await headersOf(chat) })
  return body.data.parts[0].image.data as string
}

/** The bodies of calls with tools, as sent. */
const sent = (provider: Provider) =>
  servers[provider].requests.map(({ body }) => body).filter((body) => body.includes('"tools"'))

const forget = () => {
  for (const { requests } of Object.values(servers)) requests.length = 0
}

async function ask(chat: ChatClient, fileIds: string[], next: Next[], blockIds: string[] = []) {
  forget()
  answers = next
  const session = await chat.client.sessions.create({
    projectId: chat.project.id,
    agentId: chat.agent.id,
    message: { content: 'What is this?', fileIds, blockIds },
  })
  return { sessionId: session.id, runId: session.run!.id, message: session.message! }
}

const done = { text: 'A harbor' }
const listFiles = { tool: 'list_files', input: {} }

/** As each vendor documents it. */
const IN_MESSAGE: Record<Provider, (data: string) => object> = {
  anthropic: (data) => ({ type: 'image', source: { type: 'base64', media_type: 'image/png', data } }),
  google: (data) => ({ inlineData: { mimeType: 'image/png', data } }),
  acme: (data) => ({ type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } }),
}

describe.each(Object.keys(STREAMS) as Provider[])('%s', (provider) => {
  test("receives a message's image, and the same bytes with every step", async () => {
    const chat = clients[provider]
    const id = await uploadPicture(chat)
    const { runId, message } = await ask(chat, [id], [listFiles, listFiles, done])
    expect(message).toMatchObject({
      fileIds: [id],
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image', fileId: id, version: 1, name: 'harbor.png', mimeType: 'image/png' },
      ],
    })
    expect(await chat.waitForEnd(runId)).toMatchObject({ status: 'succeeded', trust: expect.any(String) })
    const bodies = sent(provider)
    expect(bodies).toHaveLength(3)
    const part = JSON.stringify(IN_MESSAGE[provider](await modelImage(chat, id))).slice(1, -1)
    for (const body of bodies) {
      expect(body.split(part)).toHaveLength(2)
      expect(body).toContain(`[Attached file: \\"harbor.png\\", id ${id}]`)
    }
    const shown = await chat.client.agentRuns.prompt({ id: runId, n: 1 })
    expect(JSON.stringify(shown)).not.toContain(await modelImage(chat, id))
    expect(JSON.stringify(shown)).toContain(`"fileId":"${id}"`)
  })

  test('receives an image that a tool read', async () => {
    const chat = clients[provider]
    const id = await uploadPicture(chat, 'read.png')
    const { runId } = await ask(chat, [], [{ tool: 'read_file', input: { file: id } }, listFiles, done])
    expect(await chat.waitForEnd(runId)).toMatchObject({ status: 'succeeded', trust: 'untrusted' })
    const [first, second, third] = sent(provider)
    const data = await modelImage(chat, id)
    expect(first).not.toContain(data)
    for (const body of [second!, third!]) expect(body.split(data)).toHaveLength(2)
    const isInResult = second!.includes(`[Images that read_file returned]`) === false
    expect(isInResult).toBe(provider !== 'acme')
    if (provider === 'acme') {
      const { messages } = JSON.parse(second!)
      expect(messages.at(-2).role).toBe('tool')
      expect(messages.at(-1).content[1]).toMatchObject(IN_MESSAGE.acme(data))
      expect(JSON.stringify(messages.at(-2))).not.toContain(data)
    }
  })
})

// With an address of its own, a server counts as compatible, so this one is called without a run.
test('OpenAI receives images in messages and results', async () => {
  const chat = clients.acme
  const id = await uploadPicture(chat)
  const data = await modelImage(chat, id)
  const receiver = await startReceiver((_, response) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(openaiStream('Red')),
  )
  const ref = { type: 'image', fileId: id, version: 1, mimeType: 'image/png' }
  const call = { toolCallId: 'call_1', toolName: 'read_file' }
  const stored = [
    { role: 'user', content: [{ type: 'text', text: 'See' }, ref] },
    { role: 'assistant', content: [{ type: 'tool-call', ...call, input: {} }] },
    {
      role: 'tool',
      content: [{ type: 'tool-result', ...call, output: { type: 'json', value: { id } }, images: [ref] }],
    },
  ]
  const target = {
    model: 'openai/gpt-5',
    kind: 'openai' as const,
    isAccepted: true,
    isDescribed: false,
    describer: null,
  }
  const messages = await showImages(
    app.app.system(),
    chat.org.id,
    stored as unknown as ModelMessage[],
    target,
  )
  const provider = { id: 'openai', name: 'OpenAI', kind: 'openai', url: receiver.url, apiKey: 'sk-secret' }
  const model = await createLanguageModel(
    { ...provider, models: [], cacheKey: 'x', source: 'environment' } as never,
    'gpt-5',
    fetch,
  )
  for await (const event of streamCall({ model, messages })) expect(event.type).not.toBe('failed')
  const { input } = JSON.parse(receiver.requests[0]!.body)
  const image = { type: 'input_image', image_url: `data:image/png;base64,${data}` }
  expect(input[0].content[1]).toEqual(image)
  expect(input.at(-1)).toMatchObject({
    type: 'function_call_output',
    output: [{ type: 'input_text', text: JSON.stringify({ id }) }, image],
  })
  await receiver.close()
})

describe('a model that accepts no images', () => {
  test('receives a line instead', async () => {
    const chat = clients.blind
    const id = await uploadPicture(chat)
    const { runId } = await ask(chat, [id], [{ tool: 'read_file', input: { file: id } }, done])
    expect(await chat.waitForEnd(runId)).toMatchObject({ status: 'succeeded' })
    const bodies = sent('acme')
    expect(bodies).toHaveLength(2)
    const line = '[image, not shown: the model acme/reads does not accept images]'
    expect(bodies.map((body) => body.split(line).length - 1)).toEqual([1, 2])
    for (const body of bodies) expect(body).not.toContain(await modelImage(chat, id))
  })
})

describe('an image', () => {
  test('becomes a line if it can’t be read, and the run goes on', async () => {
    const chat = clients.acme
    const { id } = await createPreviewFile(app, chat, {
      name: 'x.png',
      mimeType: 'image/png',
      bytes: 'no image',
    })
    const { runId } = await ask(chat, [id], [done])
    expect(await chat.waitForEnd(runId)).toMatchObject({ status: 'succeeded' })
    expect(sent('acme')[0]).toContain('[image, not shown: it could not be read]')
  })

  test('stays what it was when the file changes, and after a crash', async () => {
    const chat = clients.acme
    const id = await uploadPicture(chat)
    const data = await modelImage(chat, id)
    const { runId } = await ask(chat, [id], [listFiles, 'hang', done])
    await expect.poll(() => sent('acme').length, { timeout: 30_000 }).toBe(2)
    await uploadVersion(app, await headersOf(chat), id, createPng({ width: 9, height: 9 }), {
      name: 'harbor.png',
    })
    // Another worker claims the run, as after a crash.
    await app.sql`update runs set lease = lease + 1, due_at = ${app.clock.now()} where id = ${runId}`
    expect(await chat.waitForEnd(runId)).toMatchObject({ status: 'succeeded' })
    const [first, cut, repeated] = sent('acme')
    expect(first).toContain(data)
    expect(repeated).toBe(cut)
    expect(await modelImage(chat, id)).not.toBe(data)
  })

  test('comes after its block’s line', async () => {
    const chat = clients.acme
    const id = await uploadPicture(chat)
    const { project, client } = chat
    const block = await client.canvas.create({
      projectId: project.id,
      type: 'image',
      fileId: id,
      title: 'Harbor',
    })
    const { runId, message } = await ask(chat, [], [done], [block.id])
    expect(message.content.slice(1)).toEqual([
      { type: 'text', text: `[Attached block: "Harbor", id ${block.id}]` },
      { type: 'image', fileId: id, version: 1, mimeType: 'image/png', blockId: block.id },
    ])
    await chat.waitForEnd(runId)
    expect(sent('acme')[0]).toContain(await modelImage(chat, id))
  })

  test('makes a run untrusted if an untrusted run made it, and has no name', async () => {
    const chat = clients.acme
    const id = await uploadPicture(chat)
    const { runId: writer } = await ask(chat, [], [done])
    await chat.waitForEnd(writer)
    await app.sql`update runs set trust = 'untrusted' where id = ${writer}`
    await app.sql`update files set run_id = ${writer} where id = ${id}`
    const { runId, message } = await ask(chat, [id], [done])
    expect(message.trust).toBe('untrusted')
    expect(await chat.waitForEnd(runId)).toMatchObject({ trust: 'untrusted' })
    const own = await ask(chat, [await uploadPicture(chat)], [done])
    expect(await chat.waitForEnd(own.runId)).toMatchObject({ trust: 'trusted' })
  })

  test('is copied with its message into a branch', async () => {
    const chat = clients.acme
    const id = await uploadPicture(chat)
    const { sessionId, runId } = await ask(chat, [id], [done])
    await chat.waitForEnd(runId)
    const branch = await chat.client.sessions.branch({ id: sessionId, seq: 3 })
    const { items } = await chat.client.sessions.messages({ id: branch.id, after: 0 })
    expect(items[0]).toMatchObject({ fileIds: [id] })
  })
})

test('scanned pages of a PDF are images, and pages with text are text', async () => {
  const chat = clients.acme
  const id = await uploadPicture(chat, 'scan.pdf', createPdf([null, 'The harbor opens at nine', null]))
  const { runId } = await ask(chat, [], [{ tool: 'read_file', input: { file: id, pages: '1-2' } }, done])
  expect(await chat.waitForEnd(runId)).toMatchObject({ status: 'succeeded', trust: 'untrusted' })
  const body = sent('acme')[1]!
  expect(body.split(await modelImage(chat, id))).toHaveLength(2)
  expect(body).toContain('The harbor opens at nine')
  expect(body).toContain('These are the pages 1-2 of 3, of which 1 follow as images: read the others')
})

test('a PDF without any text is shown without asking for pages', async () => {
  const chat = clients.acme
  const id = await uploadPicture(chat, 'scan.pdf', createPdf([null]))
  const { runId } = await ask(chat, [], [{ tool: 'read_file', input: { file: id } }, done])
  await chat.waitForEnd(runId)
  expect(sent('acme')[1]).toContain(await modelImage(chat, id))
})

test('each prompt with images starts with the one before it', async () => {
  const chat = clients.anthropic
  const [one, two] = [await uploadPicture(chat, '1.png'), await uploadPicture(chat, '2.png')]
  const { sessionId, runId } = await ask(
    chat,
    [one],
    [{ tool: 'read_file', input: { file: two } }, listFiles, done],
  )
  await chat.waitForEnd(runId)
  answers = [listFiles, done]
  const { run } = await chat.send(sessionId, 'And this?', { fileIds: [two] })
  await chat.waitForEnd(run.id)
  const prompts = sent('anthropic').map((body) =>
    (JSON.parse(body).messages as { role: string; content: object[] }[]).flatMap(({ role, content }) =>
      content.map((block) =>
        JSON.stringify({ role, block }, (name, value) => (name === 'cache_control' ? undefined : value)),
      ),
    ),
  )
  expect(prompts).toHaveLength(5)
  for (const [index, prompt] of prompts.slice(1).entries())
    expect(prompt.slice(0, prompts[index]!.length)).toEqual(prompts[index])
})

test('budgets and the window count an image by the size that is sent', async () => {
  const chat = clients.acme
  const contextOf = async (bytes: Uint8Array) => {
    const { runId } = await ask(chat, [await uploadPicture(chat, 'sized.png', bytes)], [done])
    await chat.waitForEnd(runId)
    const [row] = await app.sql<{ tokens: number }[]>`
      select (context ->> 'tokens')::int as tokens from run_steps where run_id = ${runId}`
    return row!.tokens
  }
  const [small, wide] = [
    await contextOf(createPng({ width: 40, height: 20 })),
    await contextOf(createPng({ width: 3136, height: 750 })),
  ]
  // 1,568 by 375 pixels, at 750 pixels per token. Without a size, an image counted as 3,279 tokens.
  expect(wide - small).toBeGreaterThan(750)
  expect(wide - small).toBeLessThan(820)
})
