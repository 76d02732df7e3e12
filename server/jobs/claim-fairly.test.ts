import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildTestApp, type TestApp } from '../testing/test-app.ts'
import { claimFairly, inTurns, type Queue } from './claim-fairly.ts'

const BUSY = '00000000-0000-7000-8000-00000000000a'
const QUIET = '00000000-0000-7000-8000-00000000000b'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

test.each(['due', 'org_id'] as const)(
  'one organization’s backlog delays no other, with an index by %s',
  async (indexedBy) => {
    const table = `claims_by_${indexedBy}`
    await app.sql.unsafe(`
    create table ${table} (org_id uuid, id int, due_at timestamptz, primary key (org_id, id));
    insert into ${table} select '${BUSY}', n, timestamptz '2026-01-01' + n * interval '1 second' from generate_series(1, 3000) n;
    insert into ${table} values ('${QUIET}', 1, '2026-06-01')`)
    const queue: Queue = { table, key: ['id'], indexedBy }
    const now = new Date('2026-07-01')
    const claimed = await claimFairly<{ orgId: string }>(
      app.sql,
      queue,
      inTurns({ limit: 10, now, leasedUntil: new Date('2026-07-02') }),
      {
        lease: app.sql`due_at = ${new Date('2026-07-02')}`,
        returning: app.sql`t.org_id as "orgId"`,
      },
    )
    expect(claimed).toHaveLength(10)
    expect(claimed.filter(({ orgId }) => orgId === QUIET)).toHaveLength(1)
  },
)
