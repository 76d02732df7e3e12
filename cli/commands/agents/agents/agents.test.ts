import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../../server/testing/test-app.ts'
import { type CliUser, createCliUser } from '../../../testing/cli-user.ts'
import { readDocuments } from './document.ts'

let app: TestApp
let me: CliUser
beforeAll(async () => {
  app = await shareTestApp()
})
beforeEach(async () => {
  me = await createCliUser(app, 'agents')
})
afterEach(() => me.home.remove())

const write = (name: string, content: string) => writeFile(join(me.cwd, name), content)
const agents = async () => (await me.client.agents.list({ sort: 'name' })).items

const RESEARCHER = `# Finds sources
name: Researcher
emoji: 🔎
maxSteps: 5
budget:
  amount: 2.50
tools:
  web: true
prompt: |
  Be brief.
  Name your sources.
`

describe('atrium agents create', () => {
  test('creates an agent from a template, and lists the templates for an unknown one', async () => {
    const created = await me.run(['create', '--template', 'invoice-check', '--name', 'Invoices'])
    const [, agent] = await agents()
    expect(agent).toMatchObject({ name: 'Invoices', emoji: '🧾', approvals: { spend: 'deny', send: 'deny' } })
    expect(created).toMatchObject({ code: 0, stdout: `${agent!.id}\n` })
    const unknown = await me.run(['create', '--template', 'poet'])
    expect(unknown.code).not.toBe(0)
    expect(unknown.stderr).toContain('researcher')
  })
})

describe('atrium agents image', () => {
  test('sets and removes an image, and names a file that is none', async () => {
    const PIXEL =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
    await writeFile(join(me.cwd, 'face.png'), Buffer.from(PIXEL, 'base64'))
    await write('face.txt', 'a face')
    const imageUrl = async () => (await agents())[1]!.imageUrl
    await me.run(['create', '--template', 'researcher', '--name', 'Reader'])
    expect(await me.run(['image', 'Reader', join(me.cwd, 'face.png')])).toMatchObject({ code: 0 })
    expect(await imageUrl()).toContain('/image?v=')
    const text = await me.run(['image', 'Reader', join(me.cwd, 'face.txt')])
    expect(text).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('must be a PNG, JPEG or WebP image'),
    })
    const lost = await me.run(['image', 'Reader', join(me.cwd, 'lost.png')])
    expect(lost).toMatchObject({ code: 2, stderr: expect.stringContaining('Cannot read') })
    expect(await me.run(['image', 'Reader'])).toMatchObject({ code: 2 })
    expect(await me.run(['image', 'Reader', '--remove'])).toMatchObject({ code: 0 })
    expect(await imageUrl()).toBeNull()
  })
})

describe('atrium agents apply', () => {
  test('creates an agent from a file, and changes nothing when applied again', async () => {
    await write('a.yaml', RESEARCHER)
    const created = await me.run(['apply', 'a.yaml', '--yes'])
    expect(created).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\+ agent Researcher\n/) })
    expect(created.stderr).toBe('1 created, 0 changed, 0 unchanged\n')
    const [, agent] = await agents()
    expect(agent).toMatchObject({
      name: 'Researcher',
      emoji: '🔎',
      maxSteps: 5,
      budget: { amount: '2.500000', currency: 'USD' },
      tools: { web: true, blocks: true },
      prompt: 'Be brief.\nName your sources.\n',
    })
    const again = await me.runJson(['apply', 'a.yaml', '--yes'])
    expect(again).toMatchObject({
      code: 0,
      items: [{ action: 'unchanged', id: agent!.id, version: 1, fields: [] }],
    })
  })

  test('prints the changes, and applies none with --dry-run', async () => {
    await write('a.yaml', RESEARCHER)
    await me.run(['apply', 'a.yaml', '--yes'])
    const changed = RESEARCHER.replace('Be brief.', 'Be thorough.').replace('maxSteps: 5', 'maxSteps: 9')
    await write('a.yaml', changed)
    const diff = [
      '~ agent Researcher',
      '    prompt:',
      '      - Be brief.',
      '      + Be thorough.',
      '    maxSteps: 5 → 9',
      '',
    ].join('\n')
    const dry = await me.run(['apply', 'a.yaml', '--dry-run'])
    expect(dry).toEqual({ code: 0, stdout: diff, stderr: '0 to create, 1 to change, 0 unchanged\n' })
    expect((await agents())[1]).toMatchObject({ version: 1, maxSteps: 5 })
    expect(await me.run(['apply', 'a.yaml', '--yes'])).toMatchObject({ code: 0, stdout: diff })
    expect((await agents())[1]).toMatchObject({ version: 2, maxSteps: 9, emoji: '🔎' })
  })

  test('finds an agent by id, so a file can rename it', async () => {
    const { id } = await me.client.agents.create({ name: 'Old' })
    await write('a.json', JSON.stringify([{ id, name: 'New' }]))
    expect(await me.runJson(['apply', 'a.json', '--yes'])).toMatchObject({
      items: [{ action: 'updated', fields: ['name'] }],
    })
    expect(await me.client.agents.get({ id })).toMatchObject({ name: 'New' })
  })

  test.each([
    ['name: A\n---\nname: A', 'The file contains the agent A twice'],
    ['name: Twin', '2 agents are named Twin: use an id'],
  ])('refuses %j without changing anything', async (content, message) => {
    for (const name of ['Twin', 'Twin']) await me.client.agents.create({ name })
    await write('a.yaml', content)
    const { code, stderr } = await me.run(['apply', 'a.yaml', '--yes'])
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
    expect(await agents()).toHaveLength(3)
  })

  test('reports the file, agent and rule for an invalid setting', async () => {
    const mistakes: [content: string, message: string][] = [
      ['name: A\nmaxSteps: 0', 'a.yaml: maxSteps must be a whole number from 1 to 100'],
      ['name: A\nmaxStep: 1', 'a.yaml: maxStep is not a setting'],
      ['name: A\n---\nprompt: x', 'a.yaml, agent 2: name is required'],
      ['name: [', 'a.yaml is not valid YAML'],
      ['', 'a.yaml contains no agent'],
    ]
    const file = join(me.cwd, 'a.yaml')
    for (const [content, message] of mistakes) {
      await writeFile(file, content)
      await expect(readDocuments(file)).rejects.toMatchObject({
        kind: 'usage',
        message: expect.stringContaining(message),
      })
    }
    await expect(readDocuments(join(me.cwd, 'none.yaml'))).rejects.toThrow('none.yaml: file not found')
  })

  test('refuses rules that need a browser, and prints the page', async () => {
    const { id } = await me.client.agents.create({ name: 'Sender' })
    await write('a.yaml', 'name: Sender\napprovals: { send: allow }')
    const { code, stderr } = await me.run(['apply', 'a.yaml', '--yes'])
    expect(code).toBe(4)
    expect(stderr).toContain('Loosening an agent’s rules requires a browser session')
    expect(stderr).toContain(`${app.url}/agents/${id}`)
  })
})

test('export prints agents that apply leaves unchanged here and creates in another organization', async () => {
  await me.client.agents.create({
    name: 'Übersetzer',
    prompt: 'Ä\n\n  # no comment\n- "x": \u001b[31m\n',
    approvals: { send: 'ask' },
  })
  const { code, stdout } = await me.run(['export'])
  expect(code).toBe(0)
  await write('all.yaml', stdout)
  const same = await me.runJson(['apply', 'all.yaml', '--yes'])
  expect(same.items).toMatchObject([
    { name: 'Assistant', action: 'unchanged' },
    { name: 'Übersetzer', action: 'unchanged' },
  ])
  const other = await createCliUser(app, 'agents')
  await writeFile(join(other.cwd, 'all.yaml'), stdout)
  expect((await other.runJson(['apply', 'all.yaml', '--yes'])).items).toMatchObject([
    { action: 'unchanged' },
    { action: 'created' },
  ])
  await other.home.remove()
})

test('ls lists agents with their settings, and show and archive find one by name', async () => {
  const { id } = await me.client.agents.create({ name: 'Writer', emoji: '✍️', model: 'nowhere/model' })
  const { stdout } = await me.run(['ls'])
  const [header, assistant, writer] = stdout.trimEnd().split('\n')
  expect(header).toMatch(/^ID +NAME +MODEL +TOOLS +VERSION +UPDATED$/)
  expect(assistant).toMatch(/✨ Assistant +default +blocks, tables, files, memory, web, code +1 /)
  expect(writer).toMatch(
    new RegExp(`^${id} +✍️ Writer +nowhere/model +blocks, tables, files, memory, code +1 `),
  )
  const shown = await me.run(['show', 'Writer'])
  expect(shown.stdout).toContain(`id: ${id}\nname: Writer\n`)
  expect(shown.stderr).toContain('warning  model: no configured provider offers nowhere/model')
  expect(await me.run(['archive', 'Writer'])).toMatchObject({ code: 0 })
  expect((await me.runJson(['ls', '--archived'])).items).toMatchObject([{ id }])
  const missing = await me.run(['show', 'Writer'])
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('Agent Writer not found')])
})
