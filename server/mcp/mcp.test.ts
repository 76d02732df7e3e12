import { beforeAll, describe, expect, test } from 'vitest'
import { createMcpClient } from '../testing/clients/mcp.ts'
import { waitForBlockedBackends, whileLocked } from '../testing/locks.ts'
import { bearer, cookie, shareTestApp, type TestApp } from '../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

async function newUser(options: { scopes?: Parameters<TestApp['key']>[1]; readOnly?: boolean } = {}) {
  const org = await app.organization()
  const person = await app.person(org, { role: 'admin' })
  const key = await app.key(person, options.scopes ?? [])
  if (options.readOnly) await app.sql`update api_keys set read_only = true where id = ${key.id}`
  const headers = bearer(key)
  return { org, person, headers, client: app.as(headers), mcp: createMcpClient(app, headers) }
}

/** The calls of this process, by tool and outcome, as the metrics report them. */
async function countsOfTools(): Promise<Record<string, number>> {
  const { text } = await app.request('GET', '/metrics')
  const lines = text.matchAll(/^atrium_mcp_call_duration_seconds_count\{(.*)\} (\d+)$/gm)
  return Object.fromEntries([...lines].map(([, series, count]) => [series!, Number(count)]))
}

const META = 'io.modelcontextprotocol'

/** Requests of earlier revisions do not repeat the data of their session. */
const metaOf = (revision: string) =>
  revision === '2026-07-28' && {
    _meta: {
      [`${META}/protocolVersion`]: revision,
      [`${META}/clientInfo`]: { name: 'Tester', version: '1' },
      [`${META}/clientCapabilities`]: {},
    },
  }

const withoutRequest = (answer: object) => JSON.stringify(answer).replace(/request [\w-]+/, '')

type ToolList = { tools: { name: string }[] }
const namesOf = ({ tools }: ToolList) => tools.map(({ name }) => name)

describe('MCP request', () => {
  test.each([
    ['loses its connection', 'pg_terminate_backend'],
    ['takes too long', 'pg_cancel_backend'],
  ])('asks the client to call again if its statement %s', async (_, end) => {
    const { mcp } = await newUser()
    const answer = await whileLocked(app.sql, 'projects', async () => {
      const pending = mcp.send('tools/call', { name: 'list_projects', arguments: {} })
      const pids = await waitForBlockedBackends(app.sql)
      await app.sql.unsafe(`select ${end}(pid) from unnest('{${pids.join()}}'::int[]) as pid`)
      return pending
    })
    expect(answer.body.result).toMatchObject({ isError: true })
    expect(answer.body.result.content[0].text).toContain('Wait a few seconds and call again')
  })

  test("names the authorization server's metadata without a valid token", async () => {
    const { headers, person } = await newUser()
    const session = cookie(await app.session(person))
    const metadata = `resource_metadata="${app.url}/.well-known/oauth-protected-resource/mcp", scope="mcp:read"`
    for (const [credentials, challenge] of [
      [{}, `Bearer ${metadata}`],
      [session, `Bearer ${metadata}`],
      [{ authorization: 'Bearer atrium_test_0' }, `Bearer error="invalid_token", ${metadata}`],
    ] as const) {
      const { status, headers: responseHeaders } = await createMcpClient(app, credentials).send('tools/list')
      expect([status, responseHeaders.get('www-authenticate')]).toEqual([401, challenge])
    }
    await app.sql`update api_keys set revoked_at = now() where user_id = ${person.id}`
    expect((await createMcpClient(app, headers).send('tools/list')).status).toBe(401)
  })

  test("is refused before its token is read if another site's page sent it", async () => {
    const { mcp } = await newUser()
    const foreign = await mcp.send('tools/list', {}, { origin: 'https://evil.example' })
    expect([foreign.status, foreign.body.error.details.reason]).toEqual([403, 'cross_site'])
    expect((await mcp.send('tools/list', {}, { origin: 'null' })).status).toBe(403)
    expect((await mcp.send('tools/list', {}, { origin: app.url })).status).toBe(200)
  })

  test('gets the response for servers without sessions by GET or DELETE', async () => {
    const { headers } = await newUser()
    for (const method of ['GET', 'DELETE']) {
      const answer = await app.request(method, '/mcp', { headers })
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
    }
  })
})

describe('MCP key', () => {
  test('lists the tools its access allows, and the list may be cached', async () => {
    const writer = await newUser()
    const listed = await writer.mcp.result('tools/list')
    expect(listed).toMatchObject({ ttlMs: 60_000, cacheScope: 'private' })
    expect(namesOf(listed)).toHaveLength(28)
    for (const options of [{ scopes: ['mcp:read' as const] }, { scopes: [], readOnly: true }]) {
      const reader = await newUser(options)
      expect(namesOf(await reader.mcp.result('tools/list'))).toHaveLength(17)
      expect(await reader.mcp.call('whoami')).toMatchObject({ access: 'read' })
    }
    const terminal = await newUser({ scopes: ['terminal'] })
    expect(await terminal.mcp.call('whoami')).toMatchObject({ access: 'write' })
  })

  test('changes nothing with any tool if it has read access', async () => {
    const { mcp, client } = await newUser({ scopes: ['mcp:read'] })
    const { id } = await client.projects.create({ name: 'Plan' })
    const edit = { project: 'Plan', create: [{ type: 'note', title: 'A' }] }
    await expect(mcp.call('edit_canvas', edit)).rejects.toThrow(
      /^edit_canvas changes data, and this connection may only read\. The user has to .+ \(request [\w-]+\)$/,
    )
    const action = { action: 'projects.remove', input: { id } }
    await expect(mcp.call('run_action', action)).rejects.toThrow('there is no action projects.remove')
    expect((await mcp.call('read_canvas', { project: 'Plan' })).total.blocks).toBe(0)
    expect((await mcp.call('list_files', { project: 'Plan' })).items).toEqual([])
  })
})

describe('MCP call', () => {
  test('has data and text, and an error names the next action', async () => {
    const { mcp } = await newUser()
    await mcp.call('create_project', { name: 'Plan' })
    const { content, structuredContent } = await mcp.result('tools/call', {
      name: 'get_project',
      arguments: { project: 'plan' },
    })
    expect(JSON.parse(content[0].text)).toEqual(structuredContent)
    await expect(mcp.call('read_canvas', { project: 'Other' })).rejects.toThrow(
      /There is no project Other that you can see: see list_projects\. Find the right id with search/,
    )
    await expect(mcp.call('read_canvas', {})).rejects.toThrow(
      'project: give a project’s id, slug or exact name',
    )
    await expect(mcp.call('edit_canvas', { project: 'plan', creat: [] })).rejects.toThrow('creat')
    await expect(mcp.call('run_action', { action: 'projects.list' })).rejects.toThrow(
      'use the tool list_projects',
    )
    const unknown = await mcp.send('tools/call', { name: 'drop_tables', arguments: {} })
    expect(unknown.body.error.code).toBe(-32_602)
  })

  test.each([
    ['2026-07-28', { 'mcp-name': 'list_projects' }, [400, -32_020]],
    ['2026-07-28', { 'mcp-method': 'tools/list' }, [400, -32_020]],
    ['2025-11-25', { accept: 'application/json' }, [406, -32_000]],
    ['2025-11-25', { 'mcp-protocol-version': '1999-01-01' }, [400, -32_000]],
  ])('is answered in revision %s as by the SDK, and refused with the headers %j', async (...row) => {
    const [revision, wrong, refusal] = row
    const { client, headers } = await newUser()
    await client.projects.create({ name: 'Plan' })
    const send = async (params: { name: string }, changed: object = {}) => {
      const {
        status,
        headers: sent,
        body,
      } = await app.request('POST', '/mcp', {
        headers: {
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': revision,
          'mcp-method': 'tools/call',
          'mcp-name': params.name,
          ...headers,
          ...changed,
        },
        body: { jsonrpc: '2.0', id: 'a', method: 'tools/call', params: { ...params, ...metaOf(revision) } },
      })
      return { status, type: sent.get('content-type'), cache: sent.get('cache-control'), body }
    }
    const get = { name: 'get_project', arguments: { project: 'plan' } }
    const calls = [
      get,
      { name: 'list_projects' },
      { name: 'read_canvas', arguments: {} },
      { name: 'no_tool' },
    ]
    for (const call of calls) {
      // The SDK handles a call with a field that is not part of the protocol.
      const sdkAnswer = await send({ ...call, ...{ unknown: true } })
      expect(sdkAnswer).toMatchObject({ status: 200, body: { id: 'a' } })
      const answer = await send(call)
      // The text of an error ends with the id of its request.
      expect(JSON.parse(withoutRequest(answer))).toEqual(JSON.parse(withoutRequest(sdkAnswer)))
    }
    const { status, body } = await send(get, wrong)
    expect([status, body.error.code]).toEqual(refusal)
  })

  test("is audited with the client's name if it changes something, and always counted", async () => {
    const { client, headers, mcp } = await newUser()
    const before = await countsOfTools()
    const namedClient = createMcpClient(app, headers, { name: 'Claude\nCode' })
    await namedClient.call('create_project', { name: 'Plan' })
    await namedClient.call('list_projects')
    await expect(mcp.call('update_project', { project: 'Plan' })).rejects.toThrow('nothing to change')
    const after = await countsOfTools()
    const newCalls = Object.entries(after).flatMap(([series, count]) => {
      const calls = count - (before[series] ?? 0)
      return calls === 0 ? [] : [[series, calls]]
    })
    expect(Object.fromEntries(newCalls)).toEqual({
      'tool="create_project",outcome="ok"': 1,
      'tool="list_projects",outcome="ok"': 1,
      'tool="update_project",outcome="error"': 1,
    })
    const { items } = await client.organization.audit({ action: 'mcp.tool-called' })
    expect(items.map(({ target, details, via }) => [target, details.client, details.error, via])).toEqual([
      ['update_project', 'Tester', 'BAD_REQUEST', 'key'],
      ['create_project', 'Claude Code', undefined, 'key'],
    ])
    await expect.poll(async () => (await client.mcpCalls.list()).items.length, { timeout: 20_000 }).toBe(3)
    const { url, items: counted } = await client.mcpCalls.list()
    expect(url).toBe(`${app.url}/mcp`)
    expect(counted.map(({ tool, calls, failed, clients }) => [tool, calls, failed, clients])).toEqual([
      ['create_project', 1, 0, ['Claude Code']],
      ['list_projects', 1, 0, ['Claude Code']],
      ['update_project', 1, 1, ['Tester']],
    ])
  })

  test('belongs to its run and is undone with it when made in a run', async () => {
    const { client, mcp, org } = await newUser({ scopes: ['files:write'] })
    const { id: projectId } = await client.projects.create({ name: 'Plan' })
    const { id: runId } = await mcp.call('run_action', {
      action: 'runs.start',
      input: { projectId, title: 'From a client' },
    })
    const context = { 'atrium/run': runId }
    await mcp.call('edit_canvas', { create: [{ type: 'note', title: 'Draft' }] }, context)
    await mcp.call('write_file', { name: 'draft.md', text: 'Draft' }, context)
    await client.runs.update({ projectId, runId, status: 'succeeded' })
    const { items } = await client.agentRuns.changes({ id: runId })
    expect(items.map(({ kind }) => kind).toSorted()).toEqual(['block', 'file'])
    const late = { create: [{ type: 'note', title: 'Late' }] }
    await expect(mcp.call('edit_canvas', late, context)).rejects.toThrow('has not ended')
    const colleague = createMcpClient(app, bearer(await app.key(await app.person(org))))
    await expect(colleague.call('edit_canvas', late, context)).rejects.toThrow('that you started')
    await client.agentRuns.undo({ id: runId })
    expect((await mcp.call('read_canvas', { project: projectId })).total.blocks).toBe(0)
  })
})

test("prompts are the organization's skills", async () => {
  const { person, mcp } = await newUser()
  const browser = await app.withSession(person)
  const description = 'Writes release notes: use it before a release.'
  await browser.skills.create({ name: 'release-notes', description, instructions: 'Be brief.' })
  const { prompts } = await mcp.result('prompts/list')
  expect(prompts).toMatchObject([{ name: 'use_skill_release-notes', description }])
  const params = { name: 'use_skill_release-notes', arguments: { task: 'Write those of 1.0' } }
  const { messages } = await mcp.result('prompts/get', params)
  expect(messages[0].content.text).toMatch(/Be brief\.\n\nTask: Write those of 1\.0$/)
  const unknown = await mcp.send('prompts/get', { name: 'use_skill_other' })
  expect(unknown.body.error.code).toBe(-32_602)
})
