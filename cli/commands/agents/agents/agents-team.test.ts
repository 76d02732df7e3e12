import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildTestApp, type TestApp } from '../../../../server/testing/test-app.ts'
import { type CliUser, createCliUser } from '../../../testing/cli-user.ts'

let app: TestApp
let me: CliUser
let teamYaml: string
let serverId: string
beforeAll(async () => {
  app = await buildTestApp()
  me = await createCliUser(app, 'agents')
  const docs = await readFile(join(import.meta.dirname, '../../../../docs/agents/agents.md'), 'utf8')
  teamYaml = docs.match(/```yaml\n(skills:.*?)```/s)![1]!
  await me.client.projects.create({ name: 'Launch plan' })
  const admin = await app.withSession(await app.person(me.org, { role: 'admin' }))
  const server = { url: 'https://mcp.example.com/mcp', name: 'Linear', auth: 'oauth' as const }
  serverId = (await admin.mcpServers.create(server)).id
  teamYaml = teamYaml.replace(/( +)guardrails: \[.*\]\n/, '$&$1mcpServers: [Linear]\n')
})
afterAll(async () => {
  await me.home.remove()
  await app.close()
})

const write = (content: string) => writeFile(join(me.cwd, 'team.yaml'), content)
const apply = (...options: string[]) => me.run(['apply', 'team.yaml', ...options])

/** Applies the changes of a link, as the page of the dashboard does. */
async function confirmInBrowser(stdout: string) {
  const link = stdout.split('\n').find((line) => line.includes('/agents/apply#'))!
  const changes = JSON.parse(
    inflateRawSync(Buffer.from(new URL(link).hash.slice(1), 'base64url')).toString(),
  ) as { kind: 'skill' | 'guardrail'; id: string | null; name: string; body: object }[]
  const { skills, guardrails } = await app.withSession(me.person)
  for (const { kind, id, name, body } of changes) {
    if (kind === 'skill')
      await (id ? skills.update({ id, ...body }) : skills.create({ name, ...body } as never))
    else await (id ? guardrails.update({ id, ...body }) : guardrails.create({ name, ...body } as never))
  }
}

test('apply creates skills and guardrails in the browser, then agents and schedules, and reapplying their export changes nothing', async () => {
  await write(teamYaml)
  const withoutYes = await apply()
  expect(withoutYes.code).toBe(2)
  expect(withoutYes.stderr).toContain('4 to create, 0 to change')
  const waiting = await apply('--yes')
  expect(waiting.code).toBe(4)
  expect(waiting.stderr).toContain('nothing has been applied yet')
  expect(waiting.stdout).toMatch(/\+ skill release-notes\n.*\+ guardrail No API keys\n.*\+ agent Writer\n/s)
  expect((await me.client.agents.list({ sort: 'name' })).items).toHaveLength(1)
  await confirmInBrowser(waiting.stdout)
  const { code, stderr } = await apply('--yes')
  expect([code, stderr]).toEqual([0, '2 created, 0 changed, 2 unchanged\n'])
  const [skill] = (await me.client.skills.list({})).items
  const [guardrail] = (await me.client.guardrails.list()).items
  const writer = (await me.client.agents.list({ q: 'Writer' })).items[0]!
  expect(writer).toMatchObject({ skills: [skill!.id], guardrails: [guardrail!.id], maxSteps: 40 })
  expect(writer.mcpServers).toEqual([serverId])
  expect((await me.client.schedules.list({})).items).toMatchObject([
    { agentId: writer.id, cron: '0 16 * * 5', timeZone: 'Europe/Berlin', enabled: true },
  ])

  for (const options of [['--all'], ['Writer'], ['--all', '--ids']]) {
    const { stdout } = await me.run(['export', ...options])
    await write(stdout)
    const { items } = await me.runJson(['apply', 'team.yaml', '--yes'])
    const actions = items.map(({ kind, action }: { kind: string; action: string }) => `${kind} ${action}`)
    expect(actions).toEqual(
      ['skill', 'guardrail', ...(options[0] === '--all' ? ['agent'] : []), 'agent', 'schedule'].map(
        (kind) => `${kind} unchanged`,
      ),
    )
  }
  await write(teamYaml.replace('Collect the changes', 'Collect all changes').replace('redact', 'block'))
  const changed = await apply('--yes')
  expect(changed.stdout).toContain(
    '    instructions:\n      - 1. Collect the changes since the last release.\n      + 1. Collect all changes since the last release.\n',
  )
  await confirmInBrowser(changed.stdout)
  expect(await apply('--yes')).toMatchObject({ code: 0, stderr: '0 created, 0 changed, 4 unchanged\n' })
})

test('apply reports every missing reference before changing anything, and lists items skipped by a failure', async () => {
  await write('agents:\n  - { name: Lost, skills: [nowhere], guardrails: [none], mcpServers: [gone] }')
  const { code, stderr } = await apply('--yes')
  expect(code).toBe(2)
  expect(stderr).toContain(
    'Neither in the file nor on the server: the agent Lost refers to the skill nowhere; the agent Lost refers to the guardrail none; the agent Lost refers to the MCP server gone',
  )
  const mistakes: [content: string, message: string][] = [
    ['tools: []\nagents: []', 'team.yaml: unknown section tools'],
    ['guardrails:\n  - { name: A, config: { pattern: x } }', 'team.yaml: kind is required with config'],
    ['guardrails:\n  - { name: A, kind: regex }', 'The guardrail A is new: on must be one of'],
    ['skills:\n  - { name: a-b, file: x }', 'team.yaml: file is not a skill field'],
    [
      'schedules:\n  - { name: A, project: launch-plan, message: x }',
      'The schedule A is new: cron is required',
    ],
  ]
  for (const [content, message] of mistakes) {
    await write(content)
    expect(await apply('--yes')).toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
  }
  await write(
    'agents:\n  - { name: First }\n  - { name: Second, approvals: { send: allow } }\nschedules:\n  - { name: Later, project: launch-plan, agent: First, message: x, cron: 0 9 * * * }',
  )
  const failed = await apply('--yes')
  expect(failed.code).toBe(4)
  expect(failed.stderr).toContain(
    '1 created, 0 changed, 0 unchanged\nnot applied  agent Second\nnot applied  schedule Later\n',
  )
})
