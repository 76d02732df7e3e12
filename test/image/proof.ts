import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeBaseImage } from './base-image.ts'

/**
 * `npm run proof:image`: builds the image of deploy/Containerfile with podman, starts it, and expects a ready server that
 * is not root, a backup, a stop in order, and the same data after the next start. For root, with podman and mmdebstrap.
 */
const ROOT = join(import.meta.dirname, '../..')
const IMAGE = 'localhost/atrium-proof'
const NAME = `atrium-proof-${process.pid}`
const READY_S_MAX = 120
const [BASE] = /(?<=^FROM )\S+/m.exec(readFileSync(join(ROOT, 'deploy/Containerfile'), 'utf8'))!

const podman = (...args: string[]) => execFileSync('podman', args, { encoding: 'utf8', cwd: ROOT }).trim()
const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(0)} s`
const folder = mkdtempSync(join(tmpdir(), 'atrium-image-'))
try {
  if (spawnSync('podman', ['pull', '--quiet', BASE]).status !== 0) {
    console.log(`${BASE} cannot be pulled: Debian's packages take its place`)
    makeBaseImage(BASE, folder)
  }
  const building = performance.now()
  execFileSync(
    'podman',
    [
      'build',
      '--format',
      'docker',
      '--network',
      'host',
      '--file',
      'deploy/Containerfile',
      '--tag',
      IMAGE,
      '.',
    ],
    {
      cwd: ROOT,
      stdio: 'inherit',
    },
  )
  const megabytes = Number(podman('image', 'inspect', '--format', '{{.Size}}', IMAGE)) / 1e6
  console.log(`Built in ${seconds(building)}: ${megabytes.toFixed(0)} MB`)

  const starting = performance.now()
  podman(
    'run',
    '--detach',
    '--name',
    NAME,
    '--network',
    'host',
    '--env',
    'HOST=127.0.0.1',
    '--env',
    'PORT=3999',
    IMAGE,
  )
  await untilHealthy()
  console.log(`Ready after ${seconds(starting)}, as user ${podman('exec', NAME, 'id', '-un')}`)
  expect(podman('exec', NAME, 'id', '-u') !== '0', 'the server runs as root')
  expect(/"backup"|backup/i.test(check()), 'atrium-server check has no result')
  podman('exec', NAME, 'atrium-server', 'backup', '/data/backups/proof')
  expect(
    podman('exec', NAME, 'ls', '/data/backups/proof').includes('manifest.json'),
    'the backup is not complete',
  )
  const secret = podman('exec', NAME, 'cat', '/data/secret')

  const stopping = performance.now()
  podman('stop', '--time', '60', NAME)
  const exit = podman('inspect', '--format', '{{.State.ExitCode}}', NAME)
  console.log(`Stopped after ${seconds(stopping)} with exit code ${exit}`)
  expect(exit === '0', `the server stopped with exit code ${exit}`)

  const restarting = performance.now()
  podman('start', NAME)
  await untilHealthy()
  console.log(`Ready again after ${seconds(restarting)}`)
  expect(podman('exec', NAME, 'cat', '/data/secret') === secret, 'the data did not outlive the container')
} finally {
  spawnSync('podman', ['rm', '--force', '--volumes', NAME])
  rmSync(folder, { recursive: true, force: true })
}

/** The check that the image itself declares. */
async function untilHealthy(): Promise<void> {
  for (let second = 0; second < READY_S_MAX; second++) {
    if (spawnSync('podman', ['healthcheck', 'run', NAME]).status === 0) return
    if (podman('inspect', '--format', '{{.State.Running}}', NAME) !== 'true') break
    await sleep(1000)
  }
  throw new Error(`The container is not ready:\n${podman('logs', '--tail', '30', NAME)}`)
}

/** Points are open in a container without a public address: the exit code is 1. */
function check(): string {
  return spawnSync('podman', ['exec', NAME, 'atrium-server', 'check', '--json'], { encoding: 'utf8' }).stdout
}

function expect(holds: boolean, problem: string): void {
  if (!holds) throw new Error(problem)
}
