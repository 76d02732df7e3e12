import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fence } from './fence.ts'
import { sources, textOf } from './imports.ts'
import { foreignReads, READERS } from './reads.ts'
import { OWNERS, WRITERS } from './tables.ts'
import { WITHOUT_TENANT } from './without-tenant.ts'

const ROOT = join(import.meta.dirname, '../..')
const server = sources.filter((file) => file.startsWith('server/'))

const migrations = globSync('migrations/*.sql', { cwd: ROOT })
  .map((file) => readFileSync(join(ROOT, file), 'utf8'))
  .join('\n')
const newNames = new Map(
  [...migrations.matchAll(/alter table (\w+) rename to (\w+)/g)].map(([, name, newName]) => [
    name!,
    newName!,
  ]),
)
const tables = [...migrations.matchAll(/create (?:unlogged )?table (?:if not exists )?(\w+)/g)].map(
  ([, name]) => newNames.get(name!) ?? name!,
)

const writes = server.flatMap((file) =>
  // `claimFairly` updates the `table` of its queue.
  [...textOf(file).matchAll(/\b(?:(?:insert into|update|delete from|truncate)\s+|table: ')(\w+)/g)]
    .map(([, table]) => table!)
    .filter((table) => tables.includes(table))
    .map((table) => ({ file, table })),
)

describe('tables', () => {
  const exceptions = new Set(WRITERS.flatMap(({ file, tables }) => tables.map((table) => `${file} ${table}`)))

  test('each table has one owning folder', () => {
    expect(Object.keys(OWNERS).sort(), 'test/architecture/tables.ts names the owner of every table').toEqual(
      tables.toSorted(),
    )
  })

  test('a folder writes only its own tables', () => {
    fence(
      'a table that two folders write has no single place where its rules hold; call the owner, or give the reason in tables.ts',
      writes
        .filter(({ file, table }) => !file.startsWith(`${OWNERS[table]}/`))
        .map(({ file, table }) => `${file} ${table}`)
        .filter((write) => !exceptions.has(write)),
    )
  })

  test('every listed exception is still needed', () => {
    const all = new Set(writes.map(({ file, table }) => `${file} ${table}`))
    expect([...exceptions].filter((write) => !all.has(write))).toEqual([])
  })
})

describe('reads', () => {
  test('a folder reads its own tables, the base tables and those it declares', () => {
    fence(
      'an undeclared read is an edge that no import shows; call the owner, or declare it in reads.ts',
      foreignReads
        .filter(({ reader, table }) => !READERS[table]?.includes(reader))
        .map(({ file, table }) => `${file} reads ${table}, which ${OWNERS[table]} owns`),
    )
  })

  test('every declared read is still needed', () => {
    const found = new Set(foreignReads.map(({ reader, table }) => `${table}: ${reader}`))
    const declared = Object.entries(READERS).flatMap(([table, readers]) =>
      readers.map((reader) => `${table}: ${reader}`),
    )
    expect(declared.filter((read) => !found.has(read))).toEqual([])
  })
})

describe('statements', () => {
  /**
   * Functions that run a statement: their first parameter is a connection. Those that a file keeps for itself count if
   * they are named as queries. Fragments run none.
   */
  const functions = server.flatMap((file) =>
    [
      ...textOf(file).matchAll(
        /^(?:export )?(?:async function|function|const) ((?<=export .*)\w+|(?:find|list|insert|update|delete|lock|count|has|claim)[A-Z]\w*)\s*=?\s*(?:async\s*)?(?:<[^(]*>)?\(\s*sql: Sql,?\s*((?:\{\s*)?\w+)?[^)]*\)(: Fragment)?/gm,
      ),
    ]
      .filter(([, , , fragment]) => fragment === undefined)
      .map(([, name, second]) => ({ id: `${file}:${name}`, file, second })),
  )
  const exceptions = new Set(
    WITHOUT_TENANT.flatMap(({ file, functions }) => functions.map((name) => `${file}:${name}`)),
  )

  /** The organization, or a record that contains it. */
  const TENANT_PARAMETERS = new Set(['orgId', 'viewer', 'caller', 'run', 'payer', 'payment'])

  test('every function that takes a connection takes the organization next', () => {
    fence(
      'a statement that does not begin with its organization is one slip away from another organization’s rows',
      functions
        .filter(({ file }) => file.startsWith('server/features/'))
        .filter(({ second }) => !TENANT_PARAMETERS.has(second?.replace(/^\{\s*/, '') ?? ''))
        .map(({ id }) => id)
        .filter((id) => !exceptions.has(id)),
    )
  })

  test('every listed exception still exists', () => {
    const ids = new Set(functions.map(({ id }) => id))
    expect([...exceptions].filter((id) => !ids.has(id))).toEqual([])
  })
})

test("migrations with a recorded checksum have their release's statements", () => {
  const released: Record<string, string> = JSON.parse(
    readFileSync(join(ROOT, 'migrations/checksums.json'), 'utf8'),
  )
  const statements = createHash('sha256')
  for (const name of Object.keys(released).sort()) {
    const lines = readFileSync(join(ROOT, 'migrations', name), 'utf8').split('\n')
    statements.update(lines.filter((line) => !line.trimStart().startsWith('--')).join('\n'))
  }
  expect(statements.digest('hex'), 'only the comments of a released migration may change').toBe(
    '0423c6d43c09034568788217084d8035faf813346e78c7e7759d511ffca67071',
  )
})
