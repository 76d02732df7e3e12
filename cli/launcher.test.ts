import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'

const LAUNCHER = join(import.meta.dirname, 'atrium.js')
/** The first major version that runs TypeScript. */
const NODE_MAJOR_WITH_TYPESCRIPT = 22

const majorOf = (node: string) => {
  const { stdout } = spawnSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' })
  return Number.parseInt(stdout, 10)
}
const { PATH = '' } = process.env
const nodes = PATH.split(delimiter).map((folder) => join(folder, 'node'))
const oldNode = nodes
  .filter((node) => existsSync(node))
  .find((node) => majorOf(node) < NODE_MAJOR_WITH_TYPESCRIPT)

test.skipIf(!oldNode)(
  'the launcher runs the CLI with the bundled Node when the system Node is too old',
  () => {
    const env = { PATH: '/usr/bin:/bin', HOME: '/nowhere' }
    const help = spawnSync(oldNode!, [LAUNCHER, '--help'], { env, encoding: 'utf8' })
    expect([help.status, help.stdout]).toEqual([0, expect.stringContaining('The Atrium command line')])
    expect(spawnSync(oldNode!, [LAUNCHER, 'whoami'], { env }).status).toBe(3)
  },
)

test.skipIf(!oldNode)('the server’s main file names the Node it needs when started with an older one', () => {
  const main = join(import.meta.dirname, '../server/main.js')
  const started = spawnSync(oldNode!, [main], { encoding: 'utf8' })
  expect([started.status, started.stderr]).toEqual([
    1,
    "Atrium's server needs Node 24. Start it with `npm start`.\n",
  ])
})

test("the CLI exits quietly with 141 when its output's reader has gone", () => {
  // `true` ends before the CLI writes, so every write fails.
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of bash
  const script = '"$0" "$1" --help | true; exit "${PIPESTATUS[0]}"'
  const env = { PATH: '/usr/bin:/bin', HOME: '/nowhere' }
  const piped = spawnSync('bash', ['-c', script, process.execPath, LAUNCHER], { env, encoding: 'utf8' })
  expect([piped.status, piped.stderr]).toEqual([141, ''])
})
