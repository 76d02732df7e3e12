import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'

const LAUNCHER = join(import.meta.dirname, 'atrium.js')
const WITHOUT_TYPES = 22

const versionOf = (node: string) => {
  const { stdout } = spawnSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' })
  return Number.parseInt(stdout, 10)
}
const { PATH = '' } = process.env
const nodes = PATH.split(delimiter).map((folder) => join(folder, 'node'))
const oldNode = nodes.filter((node) => existsSync(node)).find((node) => versionOf(node) < WITHOUT_TYPES)

test.skipIf(!oldNode)('the command also runs where the machine’s own Node is too old for it', () => {
  const env = { PATH: '/usr/bin:/bin', HOME: '/nowhere' }
  const help = spawnSync(oldNode!, [LAUNCHER, '--help'], { env, encoding: 'utf8' })
  expect([help.status, help.stdout]).toEqual([0, expect.stringContaining('The Atrium command line')])
  expect(spawnSync(oldNode!, [LAUNCHER, 'whoami'], { env }).status).toBe(3)
})
