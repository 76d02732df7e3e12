import { execFile, execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { buildTestApp } from '../server/testing/test-app.ts'

const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
const LAUNCHER = join(import.meta.dirname, '../cli/atrium.js')
const tour = /<!-- tour[\s\S]*<!-- end of the tour -->/.exec(readme)![0]
const commands = [...tour.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block).join('')

describe.skipIf(!hasCurl())('the tour of the README', () => {
  test('runs as it is printed, and each request gets the response that the text describes', async () => {
    const app = await buildTestApp()
    await app.app.startWorker()
    const folder = await mkdtemp(join(tmpdir(), 'atrium-tour-'))
    try {
      const { person } = await app.newcomer()
      const { key } = await app.key(person, ['files:write'])
      const script = commands
        .replaceAll('http://127.0.0.1:3000', app.url)
        .replaceAll('npx atrium', `'${process.execPath}' '${LAUNCHER}'`)
        .replaceAll('curl -sS', "curl -sS -o response.json -w '%{http_code}\\n'")
      const { stdout } = await promisify(execFile)('bash', ['-euc', script], {
        cwd: folder,
        env: { PATH: process.env.PATH, HOME: folder, ATRIUM_API_KEY: key, ATRIUM_SERVER: app.url },
      })
      expect(stdout).toMatch(
        /\+ Planner\nI add two notes\.\nDone\.\n[\s\S]*succeeded[\s\S]*✓ {2}edit_canvas {2}create 2/,
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
    } finally {
      await rm(folder, { recursive: true })
      await app.close()
    }
  })
})

function hasCurl(): boolean {
  try {
    execFileSync('curl', ['--version'])
    return true
  } catch {
    return false
  }
}
