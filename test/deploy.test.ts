import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { readConfig } from '../server/config/config.ts'
import { CHECK_MS_MAX } from '../server/http/health.ts'

const ROOT = join(import.meta.dirname, '..')
const UNITS = join(ROOT, 'deploy/systemd')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

/** A variable of the C library, then the options of Node and the program, as `npm start` has them. */
const [, VARIABLE, START] = /^(\w+=\d+) exec node (.*)$/.exec(JSON.parse(read('package.json')).scripts.start)!

test('the container starts the server as npm start does, from files that exist', () => {
  const text = read('deploy/Containerfile')
  const entrypoint: string[] = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(text)![1]!)
  expect(entrypoint.join(' ')).toBe(`node ${START}`)
  expect(text).toContain(` ${VARIABLE} `)
  // The base image has the Node that the packages were tested with, and the process is not root.
  const [major] = JSON.parse(read('package.json')).dependencies.node.split('.')
  expect([...text.matchAll(/^FROM \S+\/node:(\d+)-/gm)].map(([, tag]) => tag)).toEqual([major, major])
  expect(/^USER (\w+)$/m.exec(text)?.[1]).toBe('node')
  const programs = [...text.matchAll(/\/app\/((?:server|cli)\/\S+)/g)].map(([, path]) => path!)
  expect(programs).toEqual(['server/atrium-server.js', 'cli/atrium.js'])
  expect(programs.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  const variables = Object.fromEntries(
    [...text.matchAll(/([A-Z_]+)=(\S+)/g)].map(([, name, value]) => [name, value]),
  )
  expect(readConfig(variables)).toMatchObject({
    production: true,
    host: '0.0.0.0',
    dataFolder: '/data',
    unused: [],
  })
})

test('the compose file is complete, and its variables match its example and the server', () => {
  const compose = parse(read('deploy/compose.yaml'), { merge: true })
  const usedVariables = new Set(
    [...read('deploy/compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name!),
  )
  const exampleVariables = [...read('deploy/compose.env').matchAll(/^(\w+)=/gm)].map(([, name]) => name!)
  expect([...usedVariables].sort()).toEqual(exampleVariables.toSorted())

  const example = {
    ATRIUM_PUBLIC_URL: 'https://atrium.example.com',
    S3_PUBLIC_URL: 'https://files.example.com',
  }
  const fill = (text: string) =>
    text.replaceAll(/\$\{(\w+)(?::-([^}]*)|:\?)?\}/g, (_, name: string, fallback?: string) =>
      name in example ? example[name as keyof typeof example] : (fallback ?? 'x'.repeat(32)),
    )
  for (const role of ['api', 'worker']) {
    const { environment, depends_on: needs, volumes } = compose.services[role]
    const filled = Object.entries<string>(environment).map(([name, value]) => [name, fill(value)])
    const config = readConfig(Object.fromEntries(filled))
    expect(config).toMatchObject({
      role,
      unused: [],
      objects: { kind: 's3', bucket: 'atrium', forcePathStyle: true },
    })
    expect(config.databaseUrl).toContain(`@${Object.keys(compose.services)[2]}:`)
    expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(Object.keys(needs)))
    // A volume belongs to root unless the image has its folder for the user of the server.
    const folders = /install -d -o node -g node -m 700 (.*)$/m
      .exec(read('deploy/Containerfile'))![1]!
      .split(' ')
    expect(volumes.map((volume: string) => volume.split(':')[1])).toEqual(folders)
    const names = volumes.map((volume: string) => volume.split(':')[0])
    expect(Object.keys(compose.volumes)).toEqual(expect.arrayContaining(names))
  }
  for (const [name, service] of Object.entries<Record<string, unknown>>(compose.services)) {
    expect(service, name).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    })
    expect(service.healthcheck, name).not.toEqual({ disable: true })
  }
  const { environment, volumes } = compose.services.objects
  expect(volumes).toContain(`objects:${environment.VGW_BACKEND_ARG}/atrium`)
})

test('HAProxy and the container wait longer for /readyz than it takes', () => {
  const limitOf = (path: string, setting: RegExp) => Number(setting.exec(read(path))![1]) * 1000
  expect(limitOf('deploy/haproxy.cfg', /^ {4}timeout check (\d+)s$/m)).toBeGreaterThan(CHECK_MS_MAX)
  expect(limitOf('deploy/Containerfile', /--timeout=(\d+)s/)).toBeGreaterThan(CHECK_MS_MAX)
})

test.skipIf(spawnSync('/usr/sbin/haproxy', ['-v']).status !== 0)('HAProxy accepts its configuration', () => {
  const { status, stderr } = spawnSync('/usr/sbin/haproxy', ['-c', '-f', join(ROOT, 'deploy/haproxy.cfg')], {
    encoding: 'utf8',
  })
  expect(`${status} ${stderr}`).toBe('0 ')
})

test.skipIf(spawnSync('systemd-analyze', ['--version']).status !== 0)(
  'systemd accepts the units, which start existing programs',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'atrium-units-'))
    const names = readdirSync(UNITS)
    // Programs and users are those of this machine: the units expect an installation in /opt/atrium.
    for (const name of names) {
      const unit = readFileSync(join(UNITS, name), 'utf8')
      await writeFile(
        join(folder, name),
        unit.replaceAll('/opt/atrium', ROOT).replaceAll('=atrium\n', '=root\n'),
      )
    }
    const paths = names.map((name) => join(folder, name))
    const { status, stderr } = spawnSync(
      'systemd-analyze',
      ['verify', '--man=no', '--recursive-errors=no', ...paths],
      {
        encoding: 'utf8',
      },
    )
    await rm(folder, { recursive: true })
    expect([status, stderr]).toEqual([0, ''])
    const server = readFileSync(join(UNITS, 'atrium.service'), 'utf8')
    expect(server).toContain(`/opt/atrium/node_modules/.bin/node ${START}\n`)
    expect(server).toContain(` ${VARIABLE} `)
  },
)

test("the timer's backup has a time limit shorter than the timer interval", () => {
  const unit = read('deploy/systemd/atrium-backup.service')
  const [, hours] = /^TimeoutStartSec=(\d+)h$/m.exec(unit) ?? []
  expect(Number(hours)).toBeGreaterThan(0)
  expect(Number(hours)).toBeLessThan(24)
  expect(unit).toMatch(/^TimeoutStopSec=\d+$/m)
})

test("the timer's backup has the time in its name", () => {
  const [, script] = /^ExecStart=\/bin\/sh -c '(.*)'$/m.exec(
    readFileSync(join(UNITS, 'atrium-backup.service'), 'utf8'),
  )!
  // As systemd does: `$$` and `%%` are one character.
  const command = script!
    .replaceAll('$$', '$')
    .replaceAll('%%', '%')
    .replace(/^exec \S+/, 'echo')
  const output = execFileSync('/bin/sh', ['-c', command], { encoding: 'utf8' })
  expect(output).toMatch(/^server\/atrium-server\.js backup \/var\/backups\/atrium\/\d{4}-\d\d-\d\dT\d{4}\n$/)
})
