import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EndpointName, endpointsByName } from '../contract/index.ts'
import { publishIn } from '../server/events/publish.ts'
import { type Actor, createActor } from '../server/testing/clients/actor.ts'
import { buildWebhookApp, type WebhookApp } from '../server/testing/clients/webhook-app.ts'
import { upload } from '../server/testing/factories/uploads.ts'
import { cookie, type Headers } from '../server/testing/test-app.ts'

/** Changes every record of a read with an etag in every possible way, and compares bodies and etags. */

let app: WebhookApp
let owner: Actor
beforeAll(async () => {
  app = await buildWebhookApp()
  owner = await createActor(app)
  await app.app.startWorker()
})
afterAll(() => app.close())

interface ReadCase {
  path: string
  headers?: Headers
  /** Changes of the body, by name. Those in `unversioned` leave the version as it is. */
  changes: Record<string, () => Promise<unknown>>
  unversioned?: Record<string, () => Promise<unknown>>
  /** A write that `if-match` protects. */
  write?: { method: 'PATCH' | 'PUT'; path: string; body: unknown }
}

const READS: Partial<Record<EndpointName, () => Promise<ReadCase>>> = {
  'guardrails.get': async () => {
    const { client } = owner
    const config = { phrases: ['etag'] }
    const rule = { kind: 'topic', on: 'input', action: 'flag', config } as const
    const { id } = await client.guardrails.create({ name: 'Etag', ...rule })
    return {
      path: `/api/v1/guardrails/${id}`,
      changes: {
        name: () => client.guardrails.update({ id, name: 'Other' }),
        config: () => client.guardrails.update({ id, config: { phrases: ['other'] } }),
        switch: () => client.guardrails.update({ id, enabled: false }),
      },
      write: { method: 'PATCH', path: `/api/v1/guardrails/${id}`, body: { name: 'Again' } },
    }
  },
  'mcpServers.get': async () => {
    const { client } = owner
    const server = { url: 'https://mcp.example.com/mcp', name: 'Etag', auth: 'oauth' as const }
    const { id } = await client.mcpServers.create(server)
    return {
      path: `/api/v1/mcp-servers/${id}`,
      changes: {
        name: () => client.mcpServers.update({ id, name: 'Other' }),
        trust: () => client.mcpServers.update({ id, trusted: true }),
      },
      write: { method: 'PATCH', path: `/api/v1/mcp-servers/${id}`, body: { name: 'Again' } },
    }
  },
  'customConnectors.get': async () => {
    const { client } = owner
    const settings = {
      name: 'Etag',
      description: 'Reads.',
      baseUrl: 'https://api.example.com',
      auth: { type: 'none' as const },
      tools: [
        {
          name: 'read',
          description: 'Reads.',
          input: { type: 'object' },
          request: { method: 'GET' as const, path: '/' },
        },
      ],
    }
    const { slug } = await client.customConnectors.create(settings)
    const path = `/api/v1/connectors/custom/${slug}`
    return {
      path,
      changes: { name: () => client.customConnectors.update({ ...settings, slug, name: 'Other' }) },
      write: { method: 'PUT', path, body: { ...settings, name: 'Again' } },
    }
  },
  'modelProviders.get': async () => {
    const { client } = owner
    const { id } = await client.modelProviders.create({ kind: 'openai', name: 'Etag', apiKey: 'key' })
    return {
      path: `/api/v1/model-providers/${id}`,
      changes: {
        name: () => client.modelProviders.update({ id, name: 'Other' }),
        key: () => client.modelProviders.update({ id, apiKey: 'another-key' }),
      },
    }
  },
  'webhooks.get': async () => {
    const { client, org } = owner
    const { id } = await client.webhooks.create({ name: 'Etag', url: app.receiver.url })
    const publish = () => publishIn(app.sql, org.id, app.clock.now(), { type: 'key.created', data: {} })
    const attempts = async () => app.sql`select from delivery_attempts where webhook_id = ${id}`
    return {
      path: `/api/v1/webhooks/${id}`,
      changes: {
        name: () => client.webhooks.update({ id, name: 'Other' }),
        rotation: () => client.webhooks.rotate({ id, gracePeriodSeconds: 60 }),
      },
      unversioned: {
        'a delivery': async () => {
          await publish()
          await expect.poll(attempts).toHaveLength(1)
        },
        'a failed delivery': async () => {
          app.receiver.answer((_request, response) => response.writeHead(500).end())
          await publish()
          await expect.poll(attempts).toHaveLength(2)
        },
        'an hour in which nothing happens': () =>
          app.sql`update webhook_quarters set began_at = began_at - interval '1 hour' where webhook_id = ${id}`,
      },
      write: { method: 'PATCH', path: `/api/v1/webhooks/${id}`, body: { description: 'Protected' } },
    }
  },
  'projects.get': async () => {
    const { client, org } = owner
    const { id } = await owner.project()
    const workspaceId = await app.workspace(org)
    return {
      path: `/api/v1/projects/${id}`,
      changes: {
        name: () => client.projects.update({ id, name: 'Renamed' }),
        'a shared workspace': () => client.projects.shareWithWorkspace({ id, workspaceId }),
      },
      unversioned: {
        'a block': () => client.canvas.create({ projectId: id, type: 'note' }),
        'the name of a workspace': () => client.workspaces.rename({ id: workspaceId, name: 'Renamed' }),
        'the cost of a run': async () => {
          const { id: runId } = await client.runs.start({ projectId: id })
          await client.runs.update({ projectId: id, runId, status: 'succeeded', cost: '1.5' })
        },
      },
      write: { method: 'PATCH', path: `/api/v1/projects/${id}`, body: { emoji: '🎉' } },
    }
  },
  'files.get': async () => {
    const { client } = owner
    const folder = await owner.folder()
    const file = await upload(app, owner.headers, 'One', { name: 'a.txt', fields: { parentId: folder.id } })
    const { id } = file.body.data
    // A worker indexes it, which changes the body.
    await expect.poll(async () => (await client.files.get({ id })).knowledge?.state).toBe('ready')
    return {
      path: `/api/v1/files/${id}`,
      changes: { name: () => client.files.update({ id, name: 'b.txt' }) },
      unversioned: {
        'the name of its folder': () => client.files.update({ id: folder.id, name: 'Renamed' }),
      },
      write: { method: 'PATCH', path: `/api/v1/files/${id}`, body: { tags: ['one'] } },
    }
  },
  'files.preview': async () => {
    const { id } = (await upload(app, owner.headers, '# One', { name: 'a.txt' })).body.data
    return {
      path: `/api/v1/files/${id}/preview`,
      changes: { 'the kind': () => owner.client.files.update({ id, name: 'a.md' }) },
    }
  },
  'canvas.file': async () => {
    const { client } = owner
    const { id: projectId, folderId } = await owner.project()
    const [one, two] = await Promise.all(
      ['One', 'Two'].map((text) =>
        upload(app, owner.headers, text, { name: `${text}.txt`, fields: { parentId: folderId! } }),
      ),
    )
    const { id: blockId } = await client.canvas.create({
      projectId,
      type: 'file',
      fileId: one!.body.data.id,
    })
    return {
      path: `/api/v1/projects/${projectId}/blocks/${blockId}/file`,
      changes: {
        'another file': () => client.canvas.update({ projectId, blockId, fileId: two!.body.data.id }),
      },
    }
  },
  'agents.get': async () => {
    const { agents } = owner.client
    const { id } = await agents.create({ name: 'Etag' })
    return {
      path: `/api/v1/agents/${id}`,
      changes: {
        prompt: () => agents.update({ id, prompt: 'Be brief' }),
        'a restored version': () => agents.restore({ id, version: 1 }),
        archiving: () => agents.remove({ id }),
        unarchiving: () => agents.unarchive({ id }),
      },
      write: { method: 'PATCH', path: `/api/v1/agents/${id}`, body: { emoji: '🎉' } },
    }
  },
  'skills.get': async () => {
    const { skills, agents } = owner.client
    const { id } = await skills.create({ name: 'etag', description: 'One' })
    return {
      path: `/api/v1/skills/${id}`,
      changes: {
        instructions: () => skills.update({ id, instructions: 'Two' }),
        'a file': () => skills.update({ id, files: [{ path: 'a.md', text: 'One' }] }),
        'a restored version': () => skills.restore({ id, version: 1 }),
      },
      unversioned: { 'an agent that has it': () => agents.create({ name: 'Skilled', skills: [id] }) },
      write: { method: 'PATCH', path: `/api/v1/skills/${id}`, body: { description: 'Protected' } },
    }
  },
  'memory.get': async () => {
    const { memory } = owner.client
    const { id } = await memory.create({ key: 'etag', content: 'One' })
    return {
      path: `/api/v1/memory/${id}`,
      changes: {
        content: () => memory.update({ id, content: 'Two' }),
        'the same key': () => memory.create({ key: 'etag', content: 'Three' }),
        'a restored version': () => memory.restore({ id, version: 1 }),
      },
      write: { method: 'PATCH', path: `/api/v1/memory/${id}`, body: { tags: ['one'] } },
    }
  },
  'organization.get': async () => ({
    path: '/api/v1/org',
    changes: { name: () => owner.client.organization.update({ name: 'Renamed' }) },
    unversioned: { 'a new member': () => app.person(owner.org) },
    write: { method: 'PATCH', path: '/api/v1/org', body: { name: 'Protected' } },
  }),
  'feedback.get': async () => {
    const { client, operator } = owner
    const { id } = await client.feedback.submit({ message: 'One' })
    return {
      path: `/api/v1/feedback/${id}`,
      changes: {
        message: () => client.feedback.edit({ id, message: 'Two' }),
        status: () => operator.feedback.handle({ id, status: 'triaged' }),
        'status back': () => operator.feedback.handle({ id, status: 'open' }),
        'a comment': () => client.feedback.comment({ id, body: 'And' }),
      },
      write: { method: 'PATCH', path: '/api/v1/feedback', body: { id, message: 'Protected' } },
    }
  },
  'feedback.inspect': async () => {
    const { client, operator, person } = owner
    const { id } = await client.feedback.submit({ message: 'One' })
    const session = await app.session(await app.person(owner.org, { operator: true }))
    return {
      path: `/api/v1/admin/feedback/${id}`,
      headers: cookie(session),
      changes: {
        status: () => operator.feedback.handle({ id, status: 'triaged', note: 'Note' }),
        'a comment': () => client.feedback.comment({ id, body: 'And' }),
      },
      unversioned: {
        'the name of the submitter': () => app.sql`update users set name = 'Renamed' where id = ${person.id}`,
        'the organization’s name': () =>
          app.sql`update organizations set name = 'Other' where id = ${owner.org.id}`,
      },
      write: { method: 'PATCH', path: `/api/v1/admin/feedback/${id}`, body: { status: 'declined' } },
    }
  },
}

const names = Object.entries(endpointsByName)
  .filter(([, { method, versioned }]) => method === 'GET' && versioned)
  .map(([name]) => name as EndpointName)

test('every versioned read has a scenario', () => {
  expect(names.filter((name) => !READS[name])).toEqual([])
})

describe.each(Object.keys(READS) as EndpointName[])('%s', (name) => {
  test('changes its etag exactly when its body changes', async () => {
    const { path, headers = owner.headers, changes, unversioned = {}, write } = await READS[name]!()
    const read = (etag = '') => app.request('GET', path, { headers: { ...headers, 'if-none-match': etag } })
    let before = await read()
    for (const [change, apply] of Object.entries({ ...changes, ...unversioned })) {
      const etag = before.headers.get('etag')!
      expect((await read(etag)).status, 'unchanged').toBe(304)
      await apply()
      const after = await read(etag)
      expect(after.status, `${change} answers with a new body`).toBe(200)
      expect(after.text, change).not.toBe(before.text)
      expect(after.headers.get('etag'), change).not.toBe(etag)
      const { status } = write ? await writeIfMatch(write, headers, etag) : { status: null }
      if (write && change in unversioned) expect(status, `${change} leaves the version as it is`).toBe(200)
      else if (write) expect([409, 412], `${change} is a new version`).toContain(status)
      before = await read()
    }
  })
})

const writeIfMatch = (
  { method, path, body }: NonNullable<ReadCase['write']>,
  headers: Headers,
  etag: string,
) => app.request(method, path, { headers: { ...headers, 'if-match': etag }, body })
