import { seedManyBlocks } from '../server/testing/factories/many-blocks.ts'
import { seedManyProjects } from '../server/testing/factories/many-projects.ts'
import { openBenchDatabase } from './bench-database.ts'
import { type Case, compare } from './compare.ts'
import { startProgram } from './program.ts'
import { report } from './report.ts'

const READERS = 320
const PROJECTS = 100
const BLOCKS = 100
/** A tool call also parses and writes protocol messages, and its text appears in the response twice. */
const RATIO_MIN = 0.7

/** Compares MCP tool calls with the same REST calls on the same server. */
const database = await openBenchDatabase()
const { folder, sql, organization, person, key } = database

const org = await organization()
const owner = await person(org)
const keys = [(await key(owner)).key]
while (keys.length < READERS) keys.push((await key(await person(org))).key)
await seedManyProjects(sql, owner, { count: PROJECTS, workspaceIds: [org.workspaceId] })
const [project] = await sql<{ id: string }[]>`select id from projects where org_id = ${org.id} limit 1`
const { id } = project!
await seedManyBlocks(sql, org.id, id, BLOCKS)
await sql`vacuum analyze`

const REVISION = '2026-07-28'
const META = 'io.modelcontextprotocol'
const ACCEPT = 'application/json, text/event-stream'

const toolCall = (name: string, input: object) => ({
  method: 'POST' as const,
  path: '/mcp',
  headers: { accept: ACCEPT, 'mcp-protocol-version': REVISION, 'mcp-method': 'tools/call', 'mcp-name': name },
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name,
      arguments: input,
      _meta: {
        [`${META}/protocolVersion`]: REVISION,
        [`${META}/clientInfo`]: { name: 'bench', version: '1' },
        [`${META}/clientCapabilities`]: {},
      },
    },
  }),
})

const inEarlierRevision = (request: ReturnType<typeof toolCall>) => ({
  ...request,
  headers: { accept: ACCEPT, 'mcp-protocol-version': '2025-11-25' },
  body: request.body.replace(/,"_meta":\{.*?\}\}(?=\}\}$)/, ''),
})

const get = (path: string) => ({ method: 'GET' as const, path: `/api/v1/projects${path}` })
const getProject = toolCall('get_project', { project: id })
const cases: Case[] = [
  { name: 'get_project', callers: READERS, request: getProject, floorRequest: get(`/${id}`) },
  {
    name: 'get_project, 2025-11-25',
    callers: READERS,
    request: inEarlierRevision(getProject),
    floorRequest: get(`/${id}`),
  },
  {
    name: 'list_projects, 50 items',
    callers: READERS,
    request: toolCall('list_projects', {}),
    floorRequest: get('?limit=50'),
  },
]

const subject = await startProgram('subject.ts', database.connection, folder)
try {
  for (const entry of cases) {
    const compared = await compare(entry, { floor: subject, subject }, keys, async () => {})
    const { ratio, floorPerSecond, subjectPerSecond, p99, cpu } = compared
    report({
      name: entry.name,
      ratio,
      ours: `${subjectPerSecond.toFixed(1)}/s`,
      floor: `${floorPerSecond.toFixed(1)}/s`,
      target: { text: `≥ ${RATIO_MIN}`, isMet: ratio >= RATIO_MIN },
      note: `p99 ${p99} ms, ${cpu}`,
    })
  }
} finally {
  await subject.stop()
  await database.close()
}
