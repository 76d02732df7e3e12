import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, createScriptedAgent, type ScriptedAgent } from '../../../../test/attacks/scripted-agent.ts'
import { type RawEntry, rawZip } from '../../../testing/factories/raw-zip.ts'
import { buildTestApp, cookie, type Headers, type TestApp } from '../../../testing/test-app.ts'
import { unzip } from '../../../testing/unzip.ts'
import { readPackage } from './package.ts'

let app: TestApp
let agent: ScriptedAgent
let skills: ScriptedAgent['browser']['skills']
let headers: Headers
beforeAll(async () => {
  app = await buildTestApp()
  await app.app.startWorker()
  agent = await createScriptedAgent(app)
  skills = agent.browser.skills
  headers = cookie(await app.session(agent.owner))
})
afterAll(() => app.close())

const SKILL = `---
name: release-notes
description: "Writes release notes: use it before a release."
license: MIT
allowed-tools: [Read, Write]
metadata: { version: 1.2 }
unknown: dropped
---

Be brief.
`
const entries = (): RawEntry[] => [
  { name: 'release-notes/SKILL.md', content: SKILL },
  { name: 'release-notes/references/', content: '' },
  { name: 'release-notes/references/style.md', content: '# Style' },
  { name: 'release-notes/assets/logo.bin', content: Buffer.from([0, 255]) },
]
const archiveOf = (list: RawEntry[]) => rawZip(list).toString('base64')

test('a skill is imported as previewed, changed, restored and exported as the same folder', async () => {
  const archive = archiveOf(entries())
  const preview = await skills.preview({ archive })
  expect(preview).toMatchObject({
    ...{ name: 'release-notes', license: 'MIT', allowedTools: 'Read Write', metadata: { version: '1.2' } },
    ...{ instructions: 'Be brief.\n', replaces: null },
    files: [
      { path: 'references/style.md', size: 7, isText: true, text: '# Style' },
      { path: 'assets/logo.bin', size: 2, isText: false, text: null },
    ],
  })
  expect((await skills.list({})).items).toEqual([])
  const { id } = await skills.import({ archive })
  await expect(skills.import({ archive })).rejects.toThrow('Another skill has the name release-notes')

  const changed = await skills.update({
    id,
    instructions: 'Be very brief.',
    files: [
      { path: 'references/style.md', renameTo: 'references/tone.md' },
      { path: 'assets/logo.bin', remove: true },
      { path: 'scripts/run.sh', text: 'echo hi' },
    ],
  })
  expect(changed.files.map(({ path }) => path)).toEqual(['references/tone.md', 'scripts/run.sh'])
  expect(await skills.file({ id, path: 'references/tone.md' })).toMatchObject({
    text: '# Style',
    base64: null,
  })
  await expect(skills.update({ id, files: [{ path: 'a/../b', text: '' }] })).rejects.toThrow(
    'must be a relative path',
  )
  await expect(skills.update({ id, files: [{ path: 'Scripts/RUN.sh', text: '' }] })).rejects.toThrow(
    'must not contain a path twice',
  )
  expect(await skills.update({ id, instructions: 'Be very brief.' })).toMatchObject({ version: 2 })

  const restored = await skills.restore({ id, version: 1 })
  expect(restored).toMatchObject({ version: 3, instructions: 'Be brief.\n', fileCount: 2, size: 9 })
  expect((await skills.versions({ id })).items.map(({ change }) => change)).toEqual([
    'restored',
    'updated',
    'imported',
  ])
  const response = await fetch(`${app.url}/api/v1/skills/${id}/export`, { headers })
  const exported = Buffer.from(await response.arrayBuffer())
  const files = unzip(exported)
  expect([...files.keys()].toSorted()).toEqual(
    ['SKILL.md', 'assets/logo.bin', 'references/style.md'].map((path) => `release-notes/${path}`),
  )
  expect(await skills.import({ archive: exported.toString('base64'), replace: 'true' })).toMatchObject({
    ...{ id, version: 3 },
  })
  await skills.remove({ id })
  const [row] = await app.sql<{ count: number }[]>`select count(*) from skill_files where skill_id = ${id}`
  expect(row!.count).toBe(0)
})

const HOSTILE: [string, RegExp, () => RawEntry[]][] = [
  [
    'a path out of the folder',
    /relative path/,
    () => [...entries(), { name: 'release-notes/../../etc/x', content: '' }],
  ],
  ['an absolute path', /in one folder/, () => [...entries(), { name: '/etc/passwd', content: '' }]],
  [
    'a Windows path',
    /must not contain any of/,
    () => [...entries(), { name: 'release-notes/C:\\x', content: '' }],
  ],
  [
    'a link',
    /is a link or a device/,
    () => [...entries(), { name: 'release-notes/l', content: '/etc', mode: 0o120777 }],
  ],
  ['a file twice', /a file twice/, () => [...entries(), ...entries().slice(2, 3)]],
  [
    'names that differ in case',
    /a file twice/,
    () => [...entries(), { name: 'release-notes/references/STYLE.md', content: '' }],
  ],
  [
    'a second SKILL.md',
    /must not be SKILL.md/,
    () => [...entries(), { name: 'release-notes/x/skill.md', content: SKILL }],
  ],
  [
    'a name that is not UTF-8',
    /not UTF-8/,
    () => [...entries(), { name: Buffer.from([0x61, 0xff]), content: '' }],
  ],
  ['another folder name', /named after the skill/, () => [{ name: 'other/SKILL.md', content: SKILL }]],
  ['no SKILL.md', /must contain SKILL.md/, () => entries().slice(1)],
  [
    'an entry that expands a thousandfold',
    /expand more than 100 times/,
    () => [...entries(), { name: 'release-notes/bomb', content: Buffer.alloc(1_000_000) }],
  ],
  [
    'a bomb with a false size',
    /up to 1,048,576 bytes/,
    () => [...entries(), { name: 'release-notes/bomb', content: Buffer.alloc(5_000_000), size: 10 }],
  ],
  [
    'too many entries',
    /at most/,
    () => Array.from({ length: 1500 }, (_, n) => ({ name: `release-notes/${n}`, content: '' })),
  ],
  [
    'a wrong checksum',
    /wrong size or checksum/,
    () => [...entries(), { name: 'release-notes/x', content: 'x', crc: 1 }],
  ],
  [
    'two names for one entry',
    /two names/,
    () => [...entries(), { name: 'release-notes/x', content: 'x', localName: 'y' }],
  ],
  [
    'YAML aliases',
    /not YAML, or uses aliases/,
    () => [{ name: 'SKILL.md', content: '---\nname: &a x\ndescription: *a\n---\n' }],
  ],
  [
    'a name with capitals',
    /name must be lowercase/,
    () => [{ name: 'SKILL.md', content: '---\nname: Notes\ndescription: x\n---\n' }],
  ],
]

describe('skill archive', () => {
  test.each(HOSTILE)('%s is refused', (_name, message, list) => {
    expect(() => readPackage(rawZip(list()))).toThrow(message)
  })

  test('missing trailing bytes are refused, and the error names the field', () => {
    const zip = rawZip(entries())
    for (let end = 1; end < zip.length; end++)
      expect(() => readPackage(zip.subarray(0, end))).toThrow(/^body\.archive /)
  })
})

test('an agent sees only its skills, reads their files, and warns once a skill is deleted', async () => {
  const { browser } = agent
  const notes = await skills.create({
    name: 'notes',
    description: 'Takes notes',
    instructions: 'Write them down',
    files: [{ path: 'a.md', text: 'More' }],
  })
  await skills.create({ name: 'secret', description: 'Other', instructions: 'Hidden' })
  const skilledAgent = await browser.agents.create({
    name: 'Skilled',
    model: 'test/script',
    skills: [notes.id],
  })
  expect(await skills.get({ id: notes.id })).toMatchObject({
    agents: [{ id: skilledAgent.id, name: 'Skilled' }],
    agentCount: 1,
  })
  const reads = [
    { name: 'notes' },
    { name: 'notes', path: 'a.md' },
    { name: 'secret' },
    { name: 'notes', path: 'b.md' },
  ]
  const run = await agent.ask([reads.map((input) => call('read_skill', input)).join('\n'), 'say Done'], {
    agentId: skilledAgent.id,
  })
  expect(await run.waitUntilSettled()).toMatchObject({ status: 'succeeded', trust: 'trusted' })
  const { system } = await browser.agentRuns.prompt({ id: run.id, n: 1 })
  expect(system).toContain('notes: Takes notes')
  expect(system).not.toContain('secret')
  const [main, file, other, missing] = await run.calls()
  expect(main!.output).toMatchObject({ text: 'Write them down', files: ['a.md'] })
  expect(file!.output).toMatchObject({ text: 'More' })
  expect([other!.state, missing!.state]).toEqual(['failed', 'failed'])
  expect(JSON.stringify(other!.output)).not.toContain('Hidden')

  await skills.remove({ id: notes.id })
  const { warnings } = await browser.agents.get({ id: skilledAgent.id })
  expect(warnings).toEqual([{ path: 'skills.0', message: 'the skill no longer exists' }])
})
