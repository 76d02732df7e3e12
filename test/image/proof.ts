import { execFileSync, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../bench/program.ts'
import { makeBaseImage } from './base-image.ts'

/**
 * `npm run proof:image`, for root, with buildah and mmdebstrap of Debian: builds the image of deploy/Containerfile,
 * starts its process as the image defines, and expects a ready server that is not root, a backup into the folder of the
 * volume, an orderly shutdown, and the same data after the next start. Isolation by chroot works without systemd and
 * cgroups.
 */
const ROOT = join(import.meta.dirname, '../..')
const IMAGE = 'localhost/atrium-proof'
const READY_S_MAX = 120
const BASE = /(?<=^FROM )\S+/m.exec(readFileSync(join(ROOT, 'deploy/Containerfile'), 'utf8'))![0]

const buildah = (...args: string[]) => execFileSync('buildah', args, { encoding: 'utf8', cwd: ROOT }).trim()
const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(0)} s`
const folder = mkdtempSync(join(tmpdir(), 'atrium-image-'))
let container = ''
try {
  if (spawnSync('buildah', ['pull', '--quiet', '--policy', 'ifmissing', BASE]).status !== 0) {
    console.log(`${BASE} cannot be pulled: Debian's packages take its place`)
    makeBaseImage(BASE, folder)
  }
  const buildStart = performance.now()
  const options = ['--isolation', 'chroot', '--format', 'docker', '--pull-never']
  execFileSync('buildah', ['build', ...options, '--file', 'deploy/Containerfile', '--tag', IMAGE, '.'], {
    cwd: ROOT,
    stdio: 'inherit',
  })
  const { config } = JSON.parse(buildah('inspect', '--type', 'image', IMAGE)).Docker
  console.log(`Built in ${seconds(buildStart)}`)

  container = buildah('from', '--pull-never', IMAGE)
  const port = String(await freePort())
  buildah('config', '--env', 'HOST=127.0.0.1', '--env', `PORT=${port}`, container)
  const inside = (...command: string[]) => ['run', '--isolation', 'chroot', container, '--', ...command]
  const run = (...command: string[]) => spawnSync('buildah', inside(...command), { encoding: 'utf8' })

  const first = await start()
  expect(run('id', '-un').stdout.trim() === config.User && config.User !== 'root', 'the server runs as root')
  const checkOutput = run('atrium-server', 'check', '--json').stdout
  expect(Object.keys(JSON.parse(checkOutput)).length > 0, 'atrium-server check has no result')
  const backup = run('atrium-server', 'backup', '/backups/proof')
  expect(backup.status === 0, `the backup failed: ${backup.stdout}${backup.stderr}`)
  const { stdout: secret } = run('cat', '/data/secret')
  await first.stop()
  const second = await start()
  expect(run('cat', '/data/secret').stdout === secret, 'the data did not survive the restart')
  await second.stop()

  /** Runs the entry point of the image, which `buildah run` does not read, until its health check succeeds. */
  async function start() {
    const startTime = performance.now()
    const withoutOutput: SpawnOptions = { stdio: 'ignore' }
    const entryPoint = `echo $$ > /data/proof.pid; exec ${config.Entrypoint.join(' ')}`
    const child = spawn('buildah', inside('sh', '-c', entryPoint), withoutOutput)
    const exited = once(child, 'exit')
    const [, ...healthCheck] = config.Healthcheck.Test as string[]
    for (let second = 0; run(...healthCheck).status !== 0; second++) {
      expect(second < READY_S_MAX && child.exitCode === null, 'the server is not ready')
      await sleep(1000)
    }
    console.log(`Ready after ${seconds(startTime)}`)
    return {
      async stop() {
        const stopTime = performance.now()
        // Debian’s shell expects signal names without SIG.
        const signal = String(config.StopSignal ?? 'SIGTERM').replace(/^SIG/, '')
        const { status, stderr } = run('sh', '-c', `kill -s ${signal} $(cat /data/proof.pid)`)
        expect(status === 0, `the signal was not sent: ${stderr}`)
        const [code] = await exited
        console.log(`Stopped after ${seconds(stopTime)} with exit code ${code}`)
        expect(code === 0, `the server stopped with exit code ${code}`)
      },
    }
  }
} finally {
  if (container) buildah('rm', container)
  rmSync(folder, { recursive: true, force: true })
}

function expect(isTrue: boolean, problem: string): void {
  if (!isTrue) throw new Error(problem)
}
