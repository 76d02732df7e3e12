import { execFile } from 'node:child_process'
import { cpus, totalmem } from 'node:os'
import { promisify } from 'node:util'
import { newId } from '../../server/security/ids.ts'
import { openBenchDatabase } from '../bench-database.ts'
import { insertId, load, median, type Request } from '../compare.ts'
import { startAtrium } from './atrium.ts'
import { startDirectus } from './directus.ts'
import { installPeers } from './install.ts'
import { startParse } from './parse.ts'
import { OPERATIONS, type Operation, type Peer } from './peer.ts'

const ROUNDS = 4
const ROUND_SECONDS = 3
const NAMES: Record<Operation, string> = {
  read: 'read one project',
  list: 'list of 50 projects',
  create: 'create a project',
  upload: 'upload 1 MB',
  receive: 'receive a webhook',
}

/** `npm run bench:peers -- read list` runs only these operations. All products use one PostgreSQL server. */
const chosenNames = process.argv.slice(2)
const unknownNames = chosenNames.filter((name) => !OPERATIONS.some((each) => each === name))
if (unknownNames.length > 0) {
  console.error(`Unknown operation ${unknownNames.join(', ')}: choose from ${OPERATIONS.join(', ')}`)
  process.exit(2)
}
const operations = OPERATIONS.filter((each) => chosenNames.length === 0 || chosenNames.includes(each))

const packages = await installPeers()
const database = await openBenchDatabase()
const { sql, folder, connection } = database
const peers: Peer[] = []
try {
  for (const name of ['parse', 'directus']) await sql`create database ${sql(name)}`
  peers.push(await startAtrium(database))
  peers.push(await startParse({ packages, folder, connection: { ...connection, database: 'parse' } }))
  peers.push(await startDirectus({ packages, folder, connection: { ...connection, database: 'directus' } }))
  for (const operation of operations) for (const peer of peers) await sendOnce(peer, operation)
  await describeRun()
  for (const operation of operations) await comparePeers(operation)
  const memory = peers.map(({ name, program }) => `${name} ${program.memoryMb().toFixed(0)} MB`)
  console.log(`\nResident memory afterwards: ${memory.join(', ')}`)
} finally {
  await Promise.all(peers.map(({ program }) => program.stop()))
  await database.close()
}

async function describeRun() {
  const [server] = await sql<{ version: string }[]>`select current_setting('server_version') as version`
  const versions = peers.map(({ name, version }) => `${name} ${version}`).join(', ')
  const memory = `${Math.round(totalmem() / 1024 ** 3)} GB`
  console.log(`${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores, ${memory}, ${process.arch}`)
  console.log(`${versions}, Node ${process.version}, PostgreSQL ${server!.version}\n`)
  const headers = peers.flatMap(({ name }, index) => (index === 0 ? [name] : [name, 'ratio']))
  console.log(`| | ${headers.join(' | ')} |\n|---|${headers.map(() => '---').join('|')}|`)
}

/** Prints requests per second, CPU time per request, p99, and Atrium's ratio to each peer. */
async function comparePeers(operation: Operation) {
  const sizes: number[] = []
  for (const peer of peers) sizes.push(await sendOnce(peer, operation))
  const rounds: Awaited<ReturnType<typeof load>>[][] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const measured: (typeof rounds)[number] = []
    for (const { program, requests } of peers) {
      // Flushes data a program acknowledged before it reached the disk, so the next round doesn't pay for it.
      await promisify(execFile)('sync')
      const requestsOf = (caller: number) => [withUniqueBody(requests[operation](caller))]
      measured.push(await load(program, ROUND_SECONDS, requestsOf))
    }
    // The first round is a warm-up.
    if (round > 0) rounds.push(measured)
  }
  const cells = peers.flatMap((_peer, index) => {
    const medianOf = (value: (measured: (typeof rounds)[number]) => number) => median(rounds.map(value))
    const perSecond = medianOf((each) => each[index]!.perSecond)
    const figures = `${perSecond.toFixed(0)}/s, ${medianOf((each) => each[index]!.cpuMs).toPrecision(2)} ms CPU, p99 ${medianOf((each) => each[index]!.p99)} ms, ${sizes[index]} B`
    if (index === 0) return [figures]
    return [figures, `**${medianOf((each) => each[0]!.perSecond / each[index]!.perSecond).toFixed(2)}**`]
  })
  console.log(`| ${NAMES[operation]} | ${cells.join(' | ')} |`)
}

function withUniqueBody(request: Request) {
  return request.body ? { ...request, setupRequest: insertId } : request
}

/** Returns the response size. Throws if the request fails. */
async function sendOnce({ name, program, requests }: Peer, operation: Operation): Promise<number> {
  const { method, path, headers = {}, body } = requests[operation](0)
  const response = await fetch(`${program.url}${path}`, {
    method,
    headers,
    ...(body && { body: body.replaceAll('#', newId()) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${name}, ${NAMES[operation]}: ${response.status} ${text}`)
  return Buffer.byteLength(text)
}
