import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { PASSAGE_LIMITS } from '../../../../contract/knowledge/passage-options.ts'
import { script } from '../../../testing/clients/agent-runs.ts'
import { type ChatClient, createChatClient } from '../../../testing/clients/chat-client.ts'
import { callLine } from '../../../testing/clients/scripted-runs.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
let chat: ChatClient
beforeAll(async () => {
  app = await buildTestApp()
  await app.app.startWorker()
  chat = await createChatClient(app)
})
afterAll(() => app.close())

const QUESTION = 'When does the violet valve open?'
const ANSWER = 'It opens at nine bar.'

async function converse(question: string, ...lines: string[]) {
  const { sessionId: id, runId } = await chat.start(`${question}\n\n${script(...lines)}`)
  await chat.waitForEnd(runId)
  return id
}

const pin = (id: string, knowledge = true) => chat.client.sessions.update({ id, knowledge })

/** Without the pause in which further messages are awaited. */
const indexed = () =>
  vi.waitFor(
    async () => {
      await app.sql`update passage_sources set due_at = now() where due_at > now() and attempts = 0`
      const [row] =
        await app.sql`select count(*)::int as waiting from passage_sources where due_at is not null`
      expect(row!.waiting).toBe(0)
    },
    { timeout: 20_000, interval: 100 },
  )

async function pinned(question = QUESTION, ...lines: string[]) {
  const id = await converse(question, ...(lines.length === 0 ? [`say ${ANSWER}`] : lines))
  await pin(id)
  await indexed()
  return id
}

const find = async (q: string, query: object = {}, client = chat.client) =>
  (await client.passages.search({ q, types: 'session', ...query })).items
const idsOf = (items: { source: { id: string } }[]) => items.map(({ source }) => source.id)

async function addMessages(sessionId: string, bodies: readonly string[]) {
  const [first] = await app.sql`
    update agent_sessions set message_seq = message_seq + ${bodies.length} where id = ${sessionId}
    returning message_seq - ${bodies.length} as seq`
  await app.sql`
    insert into messages (org_id, session_id, seq, id, role, content, body, trust, created_at)
    select ${chat.org.id}, ${sessionId}, ${first!.seq}::bigint + b.n, gen_random_uuid(),
      case when b.n % 2 = 1 then 'user' else 'assistant' end, '[]', b.body, 'trusted', now()
    from unnest(${bodies as string[]}::text[]) with ordinality b (body, n)`
}

/** As if every passage had just been counted. */
async function expectExactCounts() {
  const counted = await app.sql`
    select lexeme, passages from passage_terms where org_id = ${chat.org.id} order by lexeme, space_id`
  const real = await app.sql`
    select l.lexeme collate "C" as lexeme, count(*)::int as passages
    from passages p cross join lateral unnest(tsvector_to_array(p.tsv)) l (lexeme)
    where p.org_id = ${chat.org.id} group by l.lexeme, p.space_id order by 1, p.space_id`
  expect([...counted]).toEqual([...real])
}

describe('a pinned conversation', () => {
  test('is found by its question, with the answer', async () => {
    const id = await converse(QUESTION, `say ${ANSWER}`)
    await indexed()
    expect(await find(QUESTION)).toEqual([])
    const session = await pin(id)
    expect(session.knowledge).toBe(true)
    await indexed()
    const { title, messageCount } = await chat.client.sessions.get({ id })
    const [best] = await find(QUESTION)
    expect(best).toMatchObject({
      source: { type: 'session', id, name: title, version: messageCount },
      page: null,
      heading: QUESTION,
      projectId: chat.project.id,
      message: 1,
      url: expect.stringMatching(new RegExp(`/chat/${id}\\?message=1$`)),
    })
    expect(best!.text).toContain(QUESTION)
    expect(best!.text).toContain(`Agent: ${ANSWER}`)
    expect(idsOf(await find(QUESTION, { within: id }))).toEqual([id])
    await pin(id, false)
    expect(await find(QUESTION)).toEqual([])
    await indexed()
    const sources = await app.sql`select from passage_sources where item_id = ${id}`
    expect(sources.length).toBe(0)
    await expectExactCounts()
  })

  test('follows its messages and title, and leaves out tool results', async () => {
    const id = await pinned('What is in the project?', callLine('read_canvas', {}), '---', 'say Nothing yet.')
    const tools = await app.sql`select from messages where session_id = ${id} and role = 'tool'`
    expect(tools.length).toBe(1)
    const { runId } = await chat
      .send(id, `Where is the brass lantern?\n${script('say In the harbour office.')}`)
      .then(({ run }) => ({ runId: run.id }))
    await chat.waitForEnd(runId)
    await indexed()
    expect((await find('brass lantern'))[0]!.text).toContain('In the harbour office.')
    await app.sql`update messages set body = 'In the lighthouse.' where session_id = ${id} and body like 'In the harbour%'`
    await chat.client.sessions.update({ id, title: 'Lost property' })
    await indexed()
    const [changed] = await find('brass lantern')
    expect(changed).toMatchObject({ source: { id, name: 'Lost property' } })
    expect(changed!.text).toContain('In the lighthouse.')
    expect(changed!.text).not.toContain('Agent: In the harbour office.')
    const passages = await app.sql<{ text: string }[]>`
      select p.text from passages p join passage_sources s on s.org_id = p.org_id and s.id = p.source_id
      where s.item_id = ${id} order by p.ordinal`
    expect(passages.map(({ text }) => text).join('\n')).not.toContain('"blocks"')
    await pin(id, false)
  })

  test('keeps unchanged passages and their counts when it grows', async () => {
    const id = await pinned('Which copper kettle is it?', 'say The dented one.')
    const rows = () => app.sql<{ ordinal: number; row: string; text: string }[]>`
      select p.ordinal, p.xmin::text as row, p.text from passages p
      join passage_sources s on s.org_id = p.org_id and s.id = p.source_id where s.item_id = ${id} order by p.ordinal`
    const before = await rows()
    await addMessages(id, ['And whose is it?', 'It belongs to the cook.'])
    await indexed()
    const after = await rows()
    expect(after.slice(0, before.length)).toEqual(before)
    expect(after.length).toBe(before.length + 1)
    await app.sql`update messages set body = 'The shiny one.' where session_id = ${id} and body = 'The dented one.'`
    await indexed()
    const edited = await rows()
    expect(edited.map(({ text }) => text).join('\n')).toContain('The shiny one.')
    expect(edited.map(({ text }) => text).join('\n')).not.toContain('Agent: The dented one.')
    await expectExactCounts()
    await pin(id, false)
  })

  test('takes messages while it is being cut', async () => {
    const id = await pinned('Where is the tin whistle?', 'say On the shelf.')
    await app.sql.begin(async (sql) => {
      await sql`select pg_advisory_xact_lock(hashtextextended('passages' || ${chat.org.id}::text, 0))`
      await addMessages(id, ['Which shelf?', 'The upper one.'])
      await app.sql`update passage_sources set due_at = now() where item_id = ${id}`
      await expect
        .poll(async () => {
          const [row] =
            await app.sql`select count(*)::int as n from pg_locks where locktype = 'advisory' and not granted`
          return row!.n
        })
        .toBe(1)
      await addMessages(id, ['Since when?', 'Since the zinc summer.'])
    })
    await indexed()
    expect(idsOf(await find('zinc summer'))).toEqual([id])
    await pin(id, false)
  })

  test('keeps its newest part', async () => {
    const id = await pinned('Who wrote the oldest letter?', 'say The quartermaster did.')
    const line = 'The crew counts barrels in the hold and writes their number down. '.repeat(14)
    const count = Math.ceil((PASSAGE_LIMITS.conversation * 1.5) / line.length)
    await addMessages(id, [
      ...Array.from({ length: count }, (_, n) => `${n} ${line}`),
      'Who wrote the newest telegram?',
    ])
    await indexed()
    expect(await find('quartermaster')).toEqual([])
    expect((await find('newest telegram'))[0]!.text).toContain('telegram')
    const [source] = await app.sql`select truncated, passages from passage_sources where item_id = ${id}`
    expect(source!.truncated).toBe(true)
    const [kept] = await app.sql`
      select sum(to_char - from_char)::int as characters from passages p
      join passage_sources s on s.org_id = p.org_id and s.id = p.source_id where s.item_id = ${id}`
    expect(kept!.characters).toBeGreaterThan(PASSAGE_LIMITS.conversation * 0.7)
    expect(kept!.characters).toBeLessThan(PASSAGE_LIMITS.conversation * 1.2)
    await pin(id, false)
  })

  test('isn’t found once it is deleted or its project is in the trash, and its branches aren’t pinned', async () => {
    const id = await pinned('What color is the cobalt ferry?', 'say Blue.')
    const branch = await chat.client.sessions.branch({ id, seq: 3 })
    expect(branch.knowledge).toBe(false)
    await app.sql`update projects set deleted_at = now() where id = ${chat.project.id}`
    expect(await find('cobalt ferry')).toEqual([])
    await app.sql`update projects set deleted_at = null where id = ${chat.project.id}`
    expect(idsOf(await find('cobalt ferry'))).toEqual([id])
    await chat.client.sessions.remove({ id })
    expect(await find('cobalt ferry')).toEqual([])
    await indexed()
    const left = await app.sql`select from passage_sources where item_id = ${id}`
    expect(left.length).toBe(0)
  })

  test('is pinned by those who can edit it, and recorded', async () => {
    const id = await converse('Shall we keep this?', 'say Yes.')
    const viewer = await app.person(chat.org)
    await app.sql`update workspace_members set role = 'viewer' where user_id = ${viewer.id}`
    const asViewer = await app.withSession(viewer)
    await expect(asViewer.sessions.update({ id, knowledge: true })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    })
    const stranger = await createChatClient(app)
    await expect(stranger.client.sessions.update({ id, knowledge: true })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    await expect(pin(id, 'yes' as never)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    await pin(id)
    await pin(id)
    await pin(id, false)
    const admin = await app.withSession(await app.person(chat.org, { role: 'owner' }))
    const { items } = await admin.organization.audit({})
    expect(items.filter(({ target }) => target === id).map(({ action }) => action)).toEqual([
      'agent-session.unpinned',
      'agent-session.pinned',
    ])
  })
})

describe('trust', () => {
  test('is own only for the sole author of a conversation with trusted runs', async () => {
    const id = await pinned('Where does the amber crane stand?', 'say By the quay.')
    const colleague = await app.withSession(await app.person(chat.org))
    const trustFor = async (client = chat.client) => (await find('amber crane', {}, client))[0]?.trust
    expect(await trustFor()).toBe('own')
    expect(await trustFor(colleague)).toBe('untrusted')
    await app.sql`update messages set author_id = null where session_id = ${id} and role = 'user'`
    expect(await trustFor()).toBe('untrusted')
    await app.sql`update messages set author_id = ${chat.person.id} where session_id = ${id} and role = 'user'`
    expect(await trustFor()).toBe('own')
    await app.sql`update runs set trust = 'untrusted' where session_id = ${id}`
    expect(await trustFor()).toBe('outside')
    await app.sql`update runs set trust = 'trusted' where session_id = ${id}`
    await app.sql`update messages set trust = 'verified' where session_id = ${id} and role = 'assistant'`
    expect(await trustFor(colleague)).toBe('outside')
    await pin(id, false)
  })

  test('falls for a run that reads another member’s conversation, whose answer cites it', async () => {
    const id = await pinned('How deep is the granite well?', 'say Forty metres.')
    const [found] = await find('granite well')
    const search = callLine('search_knowledge', { queries: ['granite well'] })
    const read = async (client: typeof chat.client) => {
      const session = await client.sessions.create({
        projectId: chat.project.id,
        agentId: chat.agent.id,
        message: { content: script(search, '---', `say Forty metres [${found!.key}].`) },
      })
      await chat.waitForEnd(session.run!.id)
      const { items } = await client.sessions.messages({ id: session.id })
      const [run] = await app.sql`select trust from runs where id = ${session.run!.id}`
      return { items, trust: run!.trust as string }
    }
    const own = await read(chat.client)
    expect(own.trust).toBe('trusted')
    const other = await read(await app.withSession(await app.person(chat.org)))
    expect(other.trust).toBe('untrusted')
    expect(JSON.stringify(other.items.find(({ role }) => role === 'tool')!.content)).toContain('<<<DATA-')
    for (const { items } of [own, other])
      expect(items.find(({ text }) => text.includes('Forty'))!.citations).toMatchObject([
        {
          key: found!.key,
          fileId: null,
          page: null,
          message: 1,
          source: { type: 'session', id },
          heading: found!.heading,
        },
      ])
    await pin(id, false)
  })
})
