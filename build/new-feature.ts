import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** `npm run new -- feature <group>/<name>`: writes a slice with a table, an endpoint and a test. */
if (import.meta.main) {
  const [kind, path = ''] = process.argv.slice(2)
  try {
    if (kind !== 'feature') throw new Error('Usage: npm run new -- feature <group>/<name>')
    console.log(writeFeature(join(import.meta.dirname, '..'), path).join('\n'))
  } catch (error) {
    console.error((error as Error).message)
    process.exitCode = 2
  }
}

/** Returns the written paths, then manual steps. */
export function writeFeature(root: string, path: string): string[] {
  const [, group, name] = /^([a-z]+)\/([a-z]+(?:-[a-z]+)*)$/.exec(path) ?? []
  if (!group || !name) throw new Error('Name the feature as <group>/<name>, such as projects/bookmarks')
  const folder = `server/features/${group}`
  if (!existsSync(join(root, folder))) throw new Error(`${group} is not a group: see ${dirname(folder)}/`)
  if (existsSync(join(root, folder, `${group}.ts`)))
    throw new Error(`${group} is one feature: add a file to ${folder}/ instead`)
  const files = slice(root, group, name)
  const existing = Object.keys(files).find((file) => existsSync(join(root, file)))
  if (existing) throw new Error(`${existing} exists`)
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  const value = camelCase(name)
  return [
    ...Object.keys(files).map((file) => `wrote ${file}`),
    'Next:',
    `- import and list ${value} in contract/index.ts and server/features.ts`,
    `- name the owner of ${name.replaceAll('-', '_')} in test/architecture/tables.ts: '${folder}/${name}'`,
    '- npm run roles, npm run architecture, UPDATE_OPENAPI=1 npx vitest run test/architecture/openapi.test.ts',
    `- npm test -- ${folder}/${name}; the checklists in CONTRIBUTING.md have the rest`,
  ]
}

function slice(root: string, group: string, name: string): Record<string, string> {
  const numbers = readdirSync(join(root, 'migrations')).map((file) => Number.parseInt(file, 10) || 0)
  const migration = String(Math.max(0, ...numbers) + 1).padStart(4, '0')
  const table = name.replaceAll('-', '_')
  const value = camelCase(name)
  const title = value.charAt(0).toUpperCase() + value.slice(1)
  const words = name.replaceAll('-', ' ')
  const folder = `server/features/${group}/${name}`
  return {
    [`migrations/${migration}_${table}.sql`]: `-- One row per entry of ${words}.

create table ${table} (
  org_id uuid not null references organizations,
  id uuid not null,
  name text not null,
  created_at timestamptz(3) not null,
  primary key (org_id, id)
);
`,
    [`contract/${group}/${name}.ts`]: `import { z } from 'zod'
import { endpoint, member } from '../endpoint.ts'
import { Id, Timestamp } from '../fields.ts'

export const ${value} = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/${name}',
    summary: 'List ${words}',
    access: member(),
    output: z.object({ items: z.array(z.object({ id: Id, name: z.string(), createdAt: Timestamp })) }),
  }),
}
`,
    [`${folder}/${name}.ts`]: `import { ${value} as endpoints } from '../../../../contract/${group}/${name}.ts'
import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { handle } from '../../../endpoint/route.ts'
import type { Feature } from '../../../feature.ts'

/** Lists ${words}: ARCHITECTURE.md shows this sentence. */
export const ${value}: Feature = {
  routes: [handle(endpoints.list, list${title})],
}

async function list${title}({ sql, caller }: Context) {
  return { items: await findAll(sql, caller.orgId) }
}

interface Row {
  id: string
  name: string
  createdAt: string
}

const findAll = (sql: Sql, orgId: string) => sql<Row[]>\`
  select id, name, created_at as "createdAt" from ${table} where org_id = \${orgId} order by id desc limit 100\`
`,
    [`${folder}/${name}.test.ts`]: `import { beforeAll, describe, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

describe('GET /${name}', () => {
  test('is empty in a new organization', async () => {
    const { client } = await app.newUser()
    expect(await client.${value}.list()).toEqual({ items: [] })
  })
})
`,
  }
}

function camelCase(name: string): string {
  return name.replace(/-([a-z])/g, (_dash, letter: string) => letter.toUpperCase())
}
