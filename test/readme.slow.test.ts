import { execFile, execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { buildTestApp } from '../server/testing/test-app.ts'

const read = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8')
const readme = read('README.md')
const LAUNCHER = join(import.meta.dirname, '../cli/atrium.js')
const tour = /<!-- tour[\s\S]*<!-- end of the tour -->/.exec(readme)![0]
const shellBlocks = (text: string) =>
  [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block).join('')
/** The definitions that the guides refer to. */
const variables = [...tour.matchAll(/^export .*$/gm)].map(([line]) => line).join('\n')
/** The guides whose examples continue the tour. */
const GUIDES = [
  'agents/agents',
  'canvas/agent-blocks',
  'canvas/workflows',
  'agents/schedules',
  'knowledge/memory',
  'agents/guardrails',
  'billing/budgets',
  'accounts',
  'organizations',
  'home',
  'tables',
  'agents/results',
  'webhooks',
  'feedback',
]

describe.skipIf(!hasCommands())('README and guides', () => {
  test('have commands that run as printed, and each request gets the described response', async () => {
    const app = await buildTestApp()
    await app.app.startWorker()
    const folder = await mkdtemp(join(tmpdir(), 'atrium-tour-'))
    try {
      const { person } = await app.newUser()
      const { key } = await app.key(person, ['files:write', 'agents:write'])
      const execute = async (script: string, rewrite = (text: string) => text) => {
        const local = script
          .replaceAll('http://127.0.0.1:3000', app.url)
          .replaceAll('npx atrium', `'${process.execPath}' '${LAUNCHER}'`)
        const options = { cwd: folder, env: { PATH: process.env.PATH, HOME: folder, ATRIUM_API_KEY: key } }
        return (await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', rewrite(local)], options)).stdout
      }
      const stdout = await execute(shellBlocks(tour), (text) =>
        text.replaceAll('curl -sS', "curl -sS -o response.json -w '%{http_code}\\n'"),
      )
      expect(stdout).toMatch(
        /\+ agent Planner\n {4}model: test\/script\nI add two notes\.\nDone\.\n[\s\S]*succeeded[\s\S]*✓ {2}edit_canvas {2}create 2/,
      )
      expect(stdout.match(/^\d{3}$/gm)).toEqual([
        ...['201', '201', '200'],
        '200',
        ...['201', '200'],
        ...['201', '201'],
        '400',
        '200',
      ])
      const { items } = JSON.parse(readFileSync(join(folder, 'response.json'), 'utf8'))
      expect(items.map(({ type }: { type: string }) => type)).toContain('file.created')

      const guides = await execute(
        [variables, ...GUIDES.map((name) => shellBlocks(read(`docs/${name}.md`)))].join('\n'),
        // A refused request ends the script.
        (text) => text.replaceAll('curl -sS', 'curl -sS --fail-with-body'),
      )
      expect(guides).toContain('event: run.finished')
      expect(guides).toContain('releases  Releases go out on Tuesdays')
      expect(guides).toContain('Write to [email redacted]')
      expect(guides).toContain(
        '{"groups":[{"keys":[],"values":["12.50"]}],"truncated":false,"isOutside":false}',
      )
    } finally {
      await rm(folder, { recursive: true })
      await app.close()
    }
  })
})

function hasCommands(): boolean {
  try {
    for (const command of ['curl', 'jq']) execFileSync(command, ['--version'])
    return true
  } catch {
    return false
  }
}
