import { afterAll, beforeAll, expect, test } from 'vitest'
import { createChatClient } from '../../../../testing/clients/chat-client.ts'
import { createPng } from '../../../../testing/factories/pictures.ts'
import { upload } from '../../../../testing/factories/uploads.ts'
import { compatibleStream } from '../../../../testing/fakes/model-streams.ts'
import { startReceiver } from '../../../../testing/fakes/receiver.ts'
import { bearer, buildTestApp, type TestApp } from '../../../../testing/test-app.ts'

const LIST = {
  data: [
    { id: 'sees', architecture: { input_modalities: ['text', 'image'] } },
    { id: 'reads', architecture: { input_modalities: ['text'] } },
  ],
}

let app: TestApp
let server: Awaited<ReturnType<typeof startReceiver>>
let hanging: 'before its headers' | 'after them'

beforeAll(async () => {
  server = await startReceiver(async ({ body }, response) => {
    if (!body) return response.end(JSON.stringify(LIST))
    const isDescribing = JSON.parse(body).model === 'sees'
    if (isDescribing && hanging === 'before its headers') return
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    if (isDescribing) return response.flushHeaders()
    const isFirst = body.includes('"tools"') && !body.includes('"role":"tool"')
    const answer = isFirst ? { tool: 'list_files', input: {} } : { text: 'A harbor' }
    return response.end(compatibleStream(answer))
  })
  const env = { ATRIUM_PROVIDER_ACME_URL: server.url }
  app = await buildTestApp({ env, app: { patienceMs: 500 } })
  await app.app.startWorker()
})
afterAll(async () => {
  await app.close()
  await server.close()
})

test.each(['before its headers', 'after them'] as const)(
  'a vision model that hangs %s is asked once per run, which goes on and says which images it can’t see',
  async (at) => {
    hanging = at
    server.requests.length = 0
    const chat = await createChatClient(app, { model: 'acme/reads', tools: { files: true } })
    await app.sql`update memberships set role = 'owner' where user_id = ${chat.person.id}`
    await chat.client.orgSettings.update({ visionModel: 'acme/sees' })
    const headers = bearer(await app.key(chat.person, ['files:write']))
    const fileIds: string[] = []
    for (let width = 40; width < 46; width++) {
      const png = createPng({ width, height: 20, colorAt: (x) => [x, 0, 0] })
      const fields = { parentId: chat.project.folderId! }
      const { body } = await upload(app, headers, png, { name: `${width}.png`, fields })
      fileIds.push(body.data.id)
    }
    const { run } = await chat.client.sessions.create({
      projectId: chat.project.id,
      agentId: chat.agent.id,
      message: { content: 'What are these?', fileIds },
    })
    expect(await chat.waitForEnd(run!.id)).toMatchObject({ status: 'succeeded' })
    const bodies = server.requests.map(({ body }) => body).filter((body) => body !== '')
    // Those that began before the first one failed.
    expect(bodies.filter((body) => JSON.parse(body).model === 'sees')).toHaveLength(4)
    const steps = bodies.filter((body) => body.includes('"tools"'))
    expect(steps).toHaveLength(2)
    for (const step of steps) expect(step.split('and acme/sees did not describe it]')).toHaveLength(7)
    expect(await app.sql`select from reservations where org_id = ${chat.org.id}`).toEqual([])
    expect(await app.sql`select from usage where org_id = ${chat.org.id} and kind = 'description'`).toEqual(
      [],
    )
  },
)
