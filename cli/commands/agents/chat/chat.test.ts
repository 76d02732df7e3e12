import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildTestApp, type TestApp } from '../../../../server/testing/test-app.ts'
import { type CliUser, createCliUser } from '../../../testing/cli-user.ts'
import { hasPseudoTerminal } from '../../../testing/command.ts'
import { createProxy } from '../../../testing/proxy.ts'

let app: TestApp
let me: CliUser
beforeAll(async () => {
  app = await buildTestApp()
  await app.app.startWorker()
})
beforeEach(async () => {
  me = await createCliUser(app, 'chat')
  await me.client.agents.create({
    name: 'Scripted',
    model: 'test/script',
    approvals: { create_project: 'ask' },
  })
})
afterEach(() => me.home.remove())
afterAll(() => app.close())

const script = (...lines: string[]) => ['```script', ...lines, '```'].join('\n')
const agentOptions = ['--project', 'launch', '--agent', 'Scripted']
const createProject = () => me.client.projects.create({ name: 'Launch' })

describe('atrium chat pin', () => {
  test('pins a session as knowledge, and unpins it with --off', async () => {
    await createProject()
    await me.run([script('say Tuesday.'), ...agentOptions])
    const [session] = (await me.client.sessions.list({})).items
    const id = session!.id
    const { code, stderr } = await me.run(['pin', id])
    expect([code, stderr]).toEqual([0, expect.stringContaining('newest 100,000 characters')])
    expect((await me.client.sessions.get({ id })).knowledge).toBe(true)
    expect((await me.run(['show', id])).stderr).toContain('pinned as knowledge')
    const unpinned = await me.run(['pin', id, '--off', '--json'])
    expect(JSON.parse(unpinned.stdout)).toMatchObject({ id, knowledge: false })
    expect((await me.run(['pin', 'launch'])).code).toBe(2)
  })
})

describe('atrium chat', () => {
  test("prints the agent's text on stdout and one line per tool call on stderr", async () => {
    await createProject()
    const message = script(
      'say Let me look.',
      'call edit_canvas {"create":[{"type":"note","content":"Call"},{"type":"note","content":"Book"}]}',
      'call no_such_tool {}',
      '---',
      'say Added\u0007 both.',
    )
    const command = me.start(['Please do this:', '-', ...agentOptions])
    command.child.stdin!.end(message)
    const { code, stdout, stderr } = await command.done
    expect([code, stdout]).toEqual([0, 'Let me look.\nAdded\u0007 both.\n'])
    expect(stderr).toMatch(/^ {2}✓ {2}edit_canvas {2}create 2/m)
    expect(stderr).toMatch(/^ {2}✗ {2}no_such_tool {2}failed {2}There is no tool no_such_tool$/m)
    const { items } = await me.client.sessions.list({})
    expect(stderr).toContain(`Continue with: npx atrium chat --session ${items[0]!.id}`)
    const messages = await me.client.sessions.messages({ id: items[0]!.id })
    expect(messages.items.at(-1)!.text).toBe(`Please do this:\n\n${message}`)
  })

  test('prints only the result with --schema', async () => {
    await createProject()
    const schema = { type: 'object', properties: { score: { type: 'number' } }, required: ['score'] }
    await writeFile(join(me.cwd, 'score.json'), JSON.stringify(schema))
    const message = script('say Let me look.', 'call list_files {}', '---', 'say Here: {"score":0.5}')
    const { code, stdout, stderr } = await me.run([message, ...agentOptions, '--schema', 'score.json'])
    expect([code, JSON.parse(stdout)]).toEqual([0, { score: 0.5 }])
    expect(stderr).toContain('Continue with:')
    const wrong = 'say {"score":"high"}'
    const failing = script(wrong, '---', wrong, '---', wrong)
    expect(await me.run([failing, ...agentOptions, '--schema', 'score.json'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('score must be a number'),
    })
    await writeFile(join(me.cwd, 'score.json'), '{"type":"array"}')
    expect(await me.run(['Hi', ...agentOptions, '--schema', 'score.json'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('score.json: type must be object'),
    })
    const [run] = (await me.client.agentRuns.list({ status: 'succeeded' })).items
    const shown = await me.home.run(['runs', 'show', run!.id], { env: me.env })
    expect(shown.stdout).toContain('"score": 0.5')
  })

  test('prints every event with --json, and exits 1 when the run fails', async () => {
    await createProject()
    const { code, stdout } = await me.run([script('say Hm', 'fail 400'), ...agentOptions, '--json'])
    expect(code).toBe(1)
    const [session, ...events] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(session).toMatchObject({ type: 'session', data: { runId: expect.any(String) } })
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
    expect(events.at(-1)).toMatchObject({
      type: 'run.finished',
      data: { status: 'failed', errorCode: 'provider_rejected_request' },
    })
  })

  test('uploads files and attaches them', async () => {
    const project = await createProject()
    await writeFile(join(me.cwd, 'plan.txt'), 'The harbor opens at nine')
    const missing = await me.run(['Hi', ...agentOptions, '--file', 'plan.txt', '--file', 'missing.txt'])
    expect(missing).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('missing.txt cannot be attached'),
    })
    expect((await me.client.files.list({ projectId: project.id })).items).toEqual([])
    const { code } = await me.run([script('say Read'), ...agentOptions, '--file', 'plan.txt'])
    expect(code).toBe(0)
    const { items: files } = await me.client.files.list({ projectId: project.id })
    expect(files).toMatchObject([{ name: 'plan.txt', size: 24 }])
    const { items } = await me.client.sessions.list({})
    const { items: messages } = await me.client.sessions.messages({ id: items[0]!.id, after: 0 })
    expect(messages[0]).toMatchObject({ fileIds: [files[0]!.id] })
  })

  test('starts a session with another model', async () => {
    await createProject()
    const { stdout } = await me.run([
      script('say Scripted'),
      '--model',
      'test/echo',
      ...agentOptions,
      '--json',
    ])
    const { data } = JSON.parse(stdout.split('\n')[0]!)
    expect((await me.client.sessions.get({ id: data.sessionId })).model).toBe('test/echo')
    expect(await me.run(['Hi', '--session', data.sessionId, '--model', 'test/echo'])).toMatchObject({
      code: 2,
    })
  })

  test('resumes a broken stream after the last event without losing or repeating text', async () => {
    await createProject()
    const resumedFrom: (string | undefined)[] = []
    const proxy = await createProxy(app.url, ({ request, response, forward }) => {
      if (request.url!.endsWith('/stream')) {
        resumedFrom.push(request.headers['last-event-id'] as string | undefined)
        if (resumedFrom.length === 1) breakAfter(response, '"one ')
      }
      forward()
    })
    const message = script('say one ', 'wait 300', 'say two ', 'wait 300', 'say three')
    const { code, stdout, stderr } = await me.run([message, ...agentOptions], proxy.url)
    await proxy.close()
    expect([code, stdout]).toEqual([0, 'one \ntwo \nthree\n'])
    expect(stderr).toContain('Connection lost. Reconnecting…\nReconnected; no events were missed\n')
    expect(resumedFrom).toEqual([undefined, expect.stringMatching(/^\d+$/)])
  })

  test('prints the approval URL, and continues after the decision', async () => {
    await createProject()
    const message = script('call create_project {"name":"Second"}', '---', 'say Created.')
    const command = me.start([message, ...agentOptions])
    const url = await command.waitForOutput(/http\S+\/runs\/\S+/)
    await command.waitForOutput(/Waiting for an approval/)
    const { items } = await me.client.approvals.list({})
    const { id } = items[0]!
    const open = await me.home.run(['approvals', 'ls'], { env: me.env })
    expect(open).toMatchObject({ code: 0, stdout: expect.stringContaining(url) })
    const shown = await me.home.run(['approvals', 'show', id], { env: me.env })
    expect(shown.stdout).toContain('"name": "Second"')
    await (await app.withSession(me.person)).approvals.decide({ id, decision: 'approve' })
    expect(await command.done).toMatchObject({
      code: 0,
      stdout: 'Created.\n',
      stderr: expect.stringMatching(/Approved\n {2}✓ {2}create_project {2}Second/),
    })
  })

  test('lists the projects to choose from, and refuses conflicting options', async () => {
    await createProject()
    await me.client.projects.create({ name: 'Other' })
    const unclear = await me.run(['Hello'])
    expect(unclear).toMatchObject({ code: 2, stderr: expect.stringMatching(/--project[\s\S]*other, launch/) })
    const both = await me.run(['Hello', '--continue', '--agent', 'Scripted'])
    expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('A session keeps its agent') })
    const noId = await me.run(['Hello', '--session', 'launch'])
    expect(noId).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('launch is not a session id'),
    })
  })
})

describe('atrium chat participants', () => {
  test('lists and removes participants, leaves the session, and prints the URL for adding one', async () => {
    const { id: projectId } = await createProject()
    const session = await me.client.sessions.create({ projectId })
    const grace = await app.person(me.org, { name: 'Grace' })
    const browser = await app.withSession(me.person)
    for (const userId of [grace.id, me.person.id])
      await browser.sessions.addParticipant({ id: session.id, userId })
    const participants = (...args: string[]) => me.run(['participants', session.id, ...args])
    expect((await participants()).stdout).toContain(`${grace.id}  Grace`)
    expect(await participants('--add')).toMatchObject({
      code: 4,
      stderr: expect.stringContaining(`/chat/${session.id}?people=all`),
    })
    expect(await participants('--remove', 'Ada')).toMatchObject({ code: 2 })
    expect(await participants('--remove', 'Grace')).toMatchObject({ code: 0, stderr: 'Removed Grace\n' })
    expect((await participants('--leave')).stderr).toContain('The session has no participants')
  })
})

describe.skipIf(!hasPseudoTerminal)('atrium chat in a terminal', () => {
  const open = () => {
    const command = me.home.start(['chat', ...agentOptions], { env: me.env, cwd: me.cwd, inTerminal: true })
    return { ...command, type: (text: string) => command.child.stdin!.write(text) }
  }

  test('streams text, reads an answer, cancels a run on Ctrl+C, and continues', async () => {
    await createProject()
    const { type, waitForOutput, done } = open()
    await waitForOutput(/> /)
    type(`${script('call ask_person {"question":"Which color?"}', '---', 'say Color: {{last}}')}\n`)
    await waitForOutput(/answer> /)
    type('teal\n')
    await waitForOutput(/Color: {"answer":"teal"}[\s\S]*tokens in[\s\S]*> /)
    type(`${script('say Started', 'wait 60000', 'say never')}\n`)
    await waitForOutput(/(?<!say )Started/)
    type('\u0003')
    await waitForOutput(/Canceled[\s\S]*tokens in[\s\S]*> /)
    type('/exit\n')
    const { code, stdout } = await done
    expect(code).toBe(0)
    expect(stdout).not.toContain('say never\r\nnever')
    const { items } = await me.client.agentRuns.list({})
    expect(items.map(({ status }) => status)).toEqual(['canceled', 'succeeded'])
    expect(new Set(items.map(({ sessionId }) => sessionId)).size).toBe(1)
  })

  test("draws the input line below the run's text, sends it to the run, and exits on a second Ctrl+C", async () => {
    await createProject()
    const { type, waitForOutput, done } = open()
    await waitForOutput(/> /)
    const steps = ['call create_project {"name":"Second"}', '---', 'say Created.', 'wait 60000']
    type(`${script(...steps)}\n`)
    await waitForOutput(/denies the approval> /)
    type('One more')
    await waitForOutput(/One more/)
    const [approval] = (await me.client.approvals.list({})).items
    await (await app.withSession(me.person)).approvals.decide({ id: approval!.id, decision: 'approve' })
    // The typed text is drawn again after the output, on a line of its own.
    await waitForOutput(/(?<!say )Created\.\r\n[^\n]*> One more/)
    type(' thing\n')
    await waitForOutput(/Queued: joins the run at its next step/)
    const { sessionId } = approval!
    const { items } = await me.client.sessions.messages({ id: sessionId! })
    expect(items.find(({ state }) => state === 'queued')).toMatchObject({ text: 'One more thing' })
    type('\u0003')
    await waitForOutput(/Canceling the run/)
    type('\u0003')
    expect((await done).code).toBe(130)
  })
})

/** Ends the connection once the text has passed. */
function breakAfter(response: import('node:http').ServerResponse, text: string): void {
  const write = response.write.bind(response)
  response.write = ((chunk: Buffer, ...rest: never[]) => {
    const isWritten = write(chunk, ...rest)
    if (chunk.toString().includes(text)) setImmediate(() => response.destroy())
    return isWritten
  }) as typeof response.write
}
