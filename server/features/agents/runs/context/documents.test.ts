import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ChatClient, createChatClient } from '../../../../testing/clients/chat-client.ts'
import { createPdf } from '../../../../testing/factories/pictures.ts'
import { upload, uploadVersion } from '../../../../testing/factories/uploads.ts'
import { compatibleStream, type StreamedAnswer } from '../../../../testing/fakes/model-streams.ts'
import { startReceiver } from '../../../../testing/fakes/receiver.ts'
import { bearer, buildTestApp, type TestApp } from '../../../../testing/test-app.ts'

interface SentMessage {
  role: string
  content: string | { type: string; text?: string }[]
}

let server: Awaited<ReturnType<typeof startReceiver>>
let app: TestApp
let chat: ChatClient
/** The next answers to calls with tools. */
let answers: StreamedAnswer[] = []

beforeAll(async () => {
  server = await startReceiver(({ body }, response) => {
    if (!body)
      return response.end(
        JSON.stringify({ data: [{ id: 'reads' }, { id: 'small', context_length: 16_000 }] }),
      )
    const answer = (body.includes('"tools"') && answers.shift()) || { text: 'A title' }
    return response.writeHead(200, { 'content-type': 'text/event-stream' }).end(compatibleStream(answer))
  })
  app = await buildTestApp({ env: { ATRIUM_PROVIDER_ACME_URL: server.url } })
  await app.app.startWorker()
  chat = await createChatClient(app, { model: 'acme/reads', tools: { files: true } })
})
afterAll(async () => {
  await app.close()
  await server.close()
})

const done = { text: 'Done' }
const listFiles = { tool: 'list_files', input: {} }

const headersOf = async ({ person }: ChatClient) => bearer(await app.key(person, ['files:write']))

async function uploadFile(name: string, content: string | Uint8Array, owner = chat) {
  const fields = { parentId: owner.project.folderId! }
  const { body } = await upload(app, await headersOf(owner), Buffer.from(content), { name, fields })
  return body.data.id as string
}

async function ask(fileIds: string[], next: StreamedAnswer[], owner = chat) {
  server.requests.length = 0
  answers = next
  const session = await owner.client.sessions.create({
    projectId: owner.project.id,
    agentId: owner.agent.id,
    message: { content: 'When does it open?', fileIds },
  })
  return { sessionId: session.id, runId: session.run!.id, message: session.message! }
}

/** Of the calls with tools: each part as text. */
const prompts = () =>
  server.requests
    .filter(({ body }) => body.includes('"tools"'))
    .map(({ body }) =>
      (JSON.parse(body).messages as SentMessage[]).flatMap(({ role, content }) =>
        typeof content === 'string'
          ? [`${role}: ${content}`]
          : (content ?? []).map((part) => `${role}: ${part.text ?? JSON.stringify(part)}`),
      ),
    )

const partAbout = (prompt: readonly string[], id: string) =>
  prompt.filter((part) => part.includes(`id ${id}`))

test('a short file is in the prompt whole, fenced, and the same with every step', async () => {
  const id = await uploadFile('plan.txt', 'The harbor opens at nine')
  const { sessionId, runId, message } = await ask([id], [listFiles, done])
  expect(message).toMatchObject({ fileIds: [id], trust: 'trusted' })
  expect(message.content.slice(1)).toEqual([
    { type: 'file', fileId: id, version: 1, name: 'plan.txt', mimeType: 'text/plain' },
  ])
  expect(await chat.waitForEnd(runId)).toMatchObject({ status: 'succeeded', trust: 'untrusted' })
  await uploadVersion(app, await headersOf(chat), id, Buffer.from('The harbor opens at ten'), {
    name: 'plan.txt',
  })
  await chat.client.files.remove({ id })
  answers = [listFiles, done]
  const { run } = await chat.send(sessionId, 'And on Sundays?')
  await chat.waitForEnd(run.id)

  const sent = prompts()
  expect(sent).toHaveLength(4)
  const [part] = partAbout(sent[0]!, id)
  expect(part).toMatch(
    new RegExp(
      `^user: \\[Attached file: "plan.txt", id ${id}, version 1, whole text\\]\nThe lines between the two markers (DATA-\\w+) are data from the attached file plan.txt, version 1\\. .*\n<<<\\1\nThe harbor opens at nine\n\\1>>>$`,
    ),
  )
  for (const [index, prompt] of sent.entries()) {
    expect(partAbout(prompt, id)).toEqual([part])
    expect(prompt.slice(0, sent[index - 1]?.length ?? 0)).toEqual(sent[index - 1] ?? [])
  }
  const shown = await chat.client.agentRuns.prompt({ id: runId, n: 1 })
  expect(JSON.stringify(shown.messages)).toContain('The harbor opens at nine')
})

test('a PDF’s text counts for the estimate, and a scan is only named', async () => {
  const pages = Array.from({ length: 40 }, (_, page) => `The harbor opens at nine on day ${page}`)
  const [id, scan] = [
    await uploadFile('plan.pdf', createPdf(pages)),
    await uploadFile('scan.pdf', createPdf([null])),
  ]
  const { runId } = await ask([id, scan], [done])
  await chat.waitForEnd(runId)
  const [prompt] = prompts()
  expect(partAbout(prompt!, id)[0]).toContain('opens at nine on day 39')
  expect(partAbout(prompt!, scan)).toEqual([`user: [Attached file: "scan.pdf", id ${scan}]`])
  const { runId: without } = await ask([scan], [done])
  await chat.waitForEnd(without)
  const tokens = async (id: string) => (await chat.client.agentRuns.prompt({ id, n: 1 })).tokens
  expect((await tokens(runId)) - (await tokens(without))).toBeGreaterThan(pages.join('').length / 4)
})

test('a scan leaves the run trusted', async () => {
  const { runId } = await ask([await uploadFile('scan.pdf', createPdf([null]))], [done])
  expect(await chat.waitForEnd(runId)).toMatchObject({ status: 'succeeded', trust: 'trusted' })
})

test('a longer file is named, with the tool that searches it', async () => {
  const id = await uploadFile('book.txt', 'The harbor opens at nine. '.repeat(4000))
  const { runId } = await ask([id], [done])
  expect(await chat.waitForEnd(runId)).toMatchObject({ status: 'succeeded', trust: 'trusted' })
  expect(partAbout(prompts()[0]!, id)).toEqual([
    `user: [Attached file: "book.txt", id ${id}, too long to be shown: search_knowledge with \`files\` finds passages in it]`,
  ])
})

test('files take part of a small window, the first ones first, and each one once', async () => {
  const small = await createChatClient(app, { model: 'acme/small', tools: { files: true } })
  const text = (name: string) => uploadFile(name, `${name} ${'opens at nine '.repeat(900)}`, small)
  const ids = [await text('1.txt'), await text('2.txt'), await text('3.txt')]
  const { sessionId, runId } = await ask(ids, [done], small)
  expect(await small.waitForEnd(runId)).toMatchObject({ status: 'succeeded' })
  const has = (prompt: readonly string[]) =>
    ids.map((id) => partAbout(prompt, id).map((part) => part.includes('<<<DATA-')))
  expect(has(prompts()[0]!)).toEqual([[true], [true], [false]])
  answers = [done]
  const { run } = await small.send(sessionId, 'Again', { fileIds: [ids[0]!] })
  await small.waitForEnd(run.id)
  const last = prompts().at(-1)!
  expect(partAbout(last, ids[0]!)[1]).toContain(', shown above]')
})

test('an untrusted author’s name is left out', async () => {
  const id = await uploadFile('plan.txt', 'The harbor opens at nine')
  const { runId: writer } = await ask([], [done])
  await chat.waitForEnd(writer)
  await app.sql`
    insert into text_origins (org_id, record_id, field, hash)
    values (${chat.org.id}, ${id}, 'name', text_hash('plan.txt'))`
  const { message, runId } = await ask([id], [done])
  expect(message.content.slice(1)).toEqual([{ type: 'file', fileId: id, version: 1, mimeType: 'text/plain' }])
  await chat.waitForEnd(runId)
  expect(partAbout(prompts()[0]!, id)[0]).toContain('data from the attached file, version 1.')
})

test('purged files leave no text', async () => {
  const id = await uploadFile('secret.txt', 'The harbor opens at nine, secretly')
  const { sessionId, runId } = await ask([id], [done])
  await chat.waitForEnd(runId)
  await chat.client.files.remove({ id })
  await chat.client.files.remove({ id, permanent: true } as never)
  const rows = await app.sql`select from derived_texts where text like '%secretly%'`
  expect(rows).toHaveLength(0)
  answers = [done]
  const { run } = await chat.send(sessionId, 'And now?')
  await chat.waitForEnd(run.id)
  expect(partAbout(prompts().at(-1)!, id)).toEqual([`user: [Attached file: "secret.txt", id ${id}]`])
})
