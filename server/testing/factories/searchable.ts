import { newId } from '../../security/ids.ts'
import { randomHex } from '../../security/random.ts'
import { insertNumber } from '../clients/phone-app.ts'
import type { TestApp } from '../test-app.ts'
import type { Person } from './factories.ts'

/** The word is in each record's name or text. Returns ids by type. */
export async function insertSearchable(
  app: TestApp,
  { id: userId, orgId }: Person,
  { projectId, folderId, word }: { projectId: string; folderId: string; word: string },
) {
  const { sql } = app
  const now = app.clock.now()
  const [agent] = await sql<
    { id: string }[]
  >`select id from agents where org_id = ${orgId} order by id limit 1`
  const agentId = agent!.id
  const ids = {
    file: newId(),
    block: newId(),
    table: newId(),
    session: newId(),
    message: newId(),
    memory: newId(),
    schedule: newId(),
    run: newId(),
    call: newId(),
    sms: newId(),
  }
  const key = `${orgId}/${randomHex(16)}`
  await sql`insert into objects (org_id, key, stored_at, created_at) values (${orgId}, ${key}, ${now}, ${now})`
  await sql`
    insert into files (org_id, id, parent_id, source, name, sort_key, search_key, mime_type, object_key, created_by,
      created_at, updated_at)
    values (${orgId}, ${ids.file}, ${folderId}, 'upload', ${`${word}.png`}, ${word}, ${word}, 'image/png', ${key}, ${userId},
      ${now}, ${now})`
  await sql`
    insert into blocks (org_id, project_id, id, type, x, y, width, height, content, created_by, created_at, updated_at)
    values (${orgId}, ${projectId}, ${ids.block}, 'note', 0, 0, 10, 10, ${`About the ${word}`}, ${userId}, ${now}, ${now})`
  await sql`
    insert into project_tables (org_id, id, project_id, name, search_key, columns, labels, created_by, created_at, updated_at)
    values (${orgId}, ${ids.table}, ${projectId}, ${`Kinds of ${word}`}, ${`kinds of ${word}`}, '[]', '{}', ${userId}, ${now},
      ${now})`
  await sql`
    insert into agent_sessions (org_id, id, project_id, agent_id, title, created_by, created_at, updated_at, last_message_at)
    values (${orgId}, ${ids.session}, ${projectId}, ${agentId}, ${`Talk of the ${word}`}, ${userId}, ${now}, ${now}, ${now})`
  await sql`
    insert into messages (org_id, session_id, seq, id, role, content, body, trust, created_at)
    values (${orgId}, ${ids.session}, 1, ${ids.message}, 'user', '[]', ${`What is a ${word}?`}, 'trusted', ${now})`
  await sql`
    insert into memories (org_id, id, project_id, key, content, tags, source, status, written_by, created_at, updated_at)
    values (${orgId}, ${ids.memory}, ${projectId}, ${`fact ${randomHex(4)}`}, ${`The ${word} sleeps`}, '{}', 'person', 'active',
      ${userId}, ${now}, ${now})`
  await sql`
    insert into schedules (org_id, id, name, project_id, agent_id, message, cron, time_zone, enabled, owner_id, created_by,
      created_at, updated_at)
    values (${orgId}, ${ids.schedule}, 'Weekly', ${projectId}, ${agentId}, ${`Feed the ${word}`}, '0 9 * * 1', 'UTC', false,
      ${userId}, ${userId}, ${now}, ${now})`
  await sql`
    insert into runs (org_id, id, project_id, title, status, trigger, agent_id, agent_version, model, max_steps, created_by,
      created_at, deadline_at)
    values (${orgId}, ${ids.run}, ${projectId}, ${`Find the ${word}`}, 'succeeded', 'api', ${agentId}, 1, 'test/echo', 20,
      ${userId}, ${now}, ${now})`
  const number = await insertNumber(app, { id: userId, orgId } as Person, { projectId })
  await sql`
    insert into calls (org_id, id, direction, provider, provider_id, number_id, from_number, to_number, project_id, status,
      started_at, summary)
    values (${orgId}, ${ids.call}, 'inbound', 'twilio', ${`CA${ids.call}`}, ${number.id}, '+4915112345678', ${number.e164},
      ${projectId}, 'completed', ${now}, ${`Asked for a ${word}`})`
  await sql`
    insert into sms_messages (org_id, id, direction, number_id, project_id, peer, from_number, to_number, body, status,
      segments, encoding, created_at)
    values (${orgId}, ${ids.sms}, 'inbound', ${number.id}, ${projectId}, '+4915112345678', '+4915112345678', ${number.e164},
      ${`Where is my ${word}?`}, 'received', 1, 'GSM-7', ${now})`
  return ids
}
